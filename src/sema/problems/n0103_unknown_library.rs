//! `N0103`: UnknownLibrary.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownLibrary.
#[derive(Clone, Debug)]
pub struct UnknownLibrary {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// similar
    pub similar: Option<String>,
    /// known
    pub known: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0103",
    title: "UnknownLibrary",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownLibrary {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownLibrary")
    }
}
