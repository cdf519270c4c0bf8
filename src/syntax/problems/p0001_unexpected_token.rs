//! `P0001`: UnexpectedToken.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnexpectedToken.
#[derive(Clone, Debug)]
pub struct UnexpectedToken {
    /// Where it is.
    pub span: Span,
    /// found
    pub found: String,
    /// expected
    pub expected: Vec<String>,
    /// note
    pub note: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0001",
    title: "UnexpectedToken",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnexpectedToken {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnexpectedToken")
    }
}
