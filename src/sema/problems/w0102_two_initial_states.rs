//! `W0102`: TwoInitialStates.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// TwoInitialStates.
#[derive(Clone, Debug)]
pub struct TwoInitialStates {
    /// Where it is.
    pub span: Span,
    /// process
    pub process: String,
    /// first
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0102",
    title: "TwoInitialStates",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl TwoInitialStates {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "TwoInitialStates")
    }
}
