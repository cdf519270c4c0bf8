//! `W0301`: UnreachableState.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnreachableState.
#[derive(Clone, Debug)]
pub struct UnreachableState {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// process
    pub process: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0301",
    title: "UnreachableState",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnreachableState {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnreachableState")
    }
}
