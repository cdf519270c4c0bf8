//! `N0213`: UnknownConstructor.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownConstructor.
#[derive(Clone, Debug)]
pub struct UnknownConstructor {
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
    code: "N0213",
    title: "UnknownConstructor",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownConstructor {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownConstructor")
    }
}
