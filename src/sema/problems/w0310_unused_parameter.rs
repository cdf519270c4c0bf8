//! `W0310`: UnusedParameter.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnusedParameter.
#[derive(Clone, Debug)]
pub struct UnusedParameter {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0310",
    title: "UnusedParameter",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnusedParameter {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnusedParameter")
    }
}
