//! `W0303`: UnusedVariable.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnusedVariable.
#[derive(Clone, Debug)]
pub struct UnusedVariable {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0303",
    title: "UnusedVariable",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnusedVariable {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnusedVariable")
    }
}
