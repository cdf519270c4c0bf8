//! `N0203`: UnknownAction.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownAction.
#[derive(Clone, Debug)]
pub struct UnknownAction {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0203",
    title: "UnknownAction",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownAction {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownAction")
    }
}
