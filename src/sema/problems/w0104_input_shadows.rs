//! `W0104`: InputShadows.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// InputShadows.
#[derive(Clone, Debug)]
pub struct InputShadows {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// variable
    pub variable: Span,
    /// what
    pub what: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0104",
    title: "InputShadows",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl InputShadows {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "InputShadows")
    }
}
