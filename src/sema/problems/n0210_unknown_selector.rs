//! `N0210`: UnknownSelector.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownSelector.
#[derive(Clone, Debug)]
pub struct UnknownSelector {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// sort
    pub sort: String,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0210",
    title: "UnknownSelector",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownSelector {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownSelector")
    }
}
