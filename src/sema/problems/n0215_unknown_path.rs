//! `N0215`: UnknownPath.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownPath.
#[derive(Clone, Debug)]
pub struct UnknownPath {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// net
    pub net: String,
    /// what
    pub what: String,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0215",
    title: "UnknownPath",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownPath {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownPath")
    }
}
