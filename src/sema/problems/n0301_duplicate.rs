//! `N0301`: Duplicate.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Duplicate.
#[derive(Clone, Debug)]
pub struct Duplicate {
    /// Where it is.
    pub span: Span,
    /// what
    pub what: String,
    /// name
    pub name: String,
    /// first
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0301",
    title: "Duplicate",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl Duplicate {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "Duplicate")
    }
}
