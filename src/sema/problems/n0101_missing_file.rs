//! `N0101`: MissingFile.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// MissingFile.
#[derive(Clone, Debug)]
pub struct MissingFile {
    /// Where it is.
    pub span: Span,
    /// path
    pub path: String,
    /// reason
    pub reason: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0101",
    title: "MissingFile",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl MissingFile {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "MissingFile")
    }
}
