//! `W0114`: SynchronisedAgain.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// SynchronisedAgain.
#[derive(Clone, Debug)]
pub struct SynchronisedAgain {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0114",
    title: "SynchronisedAgain",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl SynchronisedAgain {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "SynchronisedAgain")
    }
}
