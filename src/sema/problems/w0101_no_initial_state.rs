//! `W0101`: NoInitialState.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// NoInitialState.
#[derive(Clone, Debug)]
pub struct NoInitialState {
    /// Where it is.
    pub span: Span,
    /// process
    pub process: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0101",
    title: "NoInitialState",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl NoInitialState {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "NoInitialState")
    }
}
