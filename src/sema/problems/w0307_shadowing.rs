//! `W0307`: Shadowing.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Shadowing.
#[derive(Clone, Debug)]
pub struct Shadowing {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// what
    pub what: String,
    /// first
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0307",
    title: "Shadowing",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl Shadowing {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "Shadowing")
    }
}
