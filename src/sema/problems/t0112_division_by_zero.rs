//! `T0112`: DivisionByZero.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// DivisionByZero.
#[derive(Clone, Debug)]
pub struct DivisionByZero {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0112",
    title: "DivisionByZero",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl DivisionByZero {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "DivisionByZero")
    }
}
