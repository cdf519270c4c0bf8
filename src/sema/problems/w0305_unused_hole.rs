//! `W0305`: UnusedHole.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnusedHole.
#[derive(Clone, Debug)]
pub struct UnusedHole {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// net
    pub net: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0305",
    title: "UnusedHole",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnusedHole {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnusedHole")
    }
}
