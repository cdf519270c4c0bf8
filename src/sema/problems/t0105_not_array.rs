//! `T0105`: NotArray.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// NotArray.
#[derive(Clone, Debug)]
pub struct NotArray {
    /// Where it is.
    pub span: Span,
    /// found
    pub found: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0105",
    title: "NotArray",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl NotArray {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "NotArray")
    }
}
