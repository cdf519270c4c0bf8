//! `W0313`: Repeated.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Repeated.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// Where it is.
    pub span: Span,
    /// what
    pub what: String,
    /// first
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0313",
    title: "Repeated",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl Repeated {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "Repeated")
    }
}
