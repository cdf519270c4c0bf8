//! `W0302`: UnusedAction.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnusedAction.
#[derive(Clone, Debug)]
pub struct UnusedAction {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0302",
    title: "UnusedAction",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnusedAction {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnusedAction")
    }
}
