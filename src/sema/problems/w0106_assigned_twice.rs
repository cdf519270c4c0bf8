//! `W0106`: AssignedTwice.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// AssignedTwice.
#[derive(Clone, Debug)]
pub struct AssignedTwice {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// first
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0106",
    title: "AssignedTwice",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl AssignedTwice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "AssignedTwice")
    }
}
