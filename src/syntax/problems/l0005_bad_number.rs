//! `L0005`: BadNumber.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// BadNumber.
#[derive(Clone, Debug)]
pub struct BadNumber {
    /// Where it is.
    pub span: Span,
    /// text
    pub text: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "L0005",
    title: "BadNumber",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl BadNumber {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "BadNumber")
    }
}
