//! `T0123`: StateCount.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// StateCount.
#[derive(Clone, Debug)]
pub struct StateCount {
    /// Where it is.
    pub span: Span,
    /// net
    pub net: String,
    /// expected
    pub expected: usize,
    /// found
    pub found: usize,
    /// leaves
    pub leaves: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0123",
    title: "StateCount",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl StateCount {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "StateCount")
    }
}
