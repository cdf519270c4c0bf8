//! `T0101`: Mismatch.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Mismatch.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// Where it is.
    pub span: Span,
    /// expected
    pub expected: String,
    /// found
    pub found: String,
    /// because
    pub because: Option<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0101",
    title: "Mismatch",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl Mismatch {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "Mismatch")
    }
}
