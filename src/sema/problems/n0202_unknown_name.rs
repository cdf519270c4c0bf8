//! `N0202`: UnknownName.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownName.
#[derive(Clone, Debug)]
pub struct UnknownName {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0202",
    title: "UnknownName",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownName {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownName")
    }
}
