//! `N0207`: UnknownState.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownState.
#[derive(Clone, Debug)]
pub struct UnknownState {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// process
    pub process: String,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0207",
    title: "UnknownState",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownState {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownState")
    }
}
