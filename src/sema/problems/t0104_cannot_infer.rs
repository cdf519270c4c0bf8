//! `T0104`: CannotInfer.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// CannotInfer.
#[derive(Clone, Debug)]
pub struct CannotInfer {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0104",
    title: "CannotInfer",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl CannotInfer {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "CannotInfer")
    }
}
