//! `N0201`: UnknownSort.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownSort.
#[derive(Clone, Debug)]
pub struct UnknownSort {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0201",
    title: "UnknownSort",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownSort {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownSort")
    }
}
