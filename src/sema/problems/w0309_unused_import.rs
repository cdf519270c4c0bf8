//! `W0309`: UnusedImport.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnusedImport.
#[derive(Clone, Debug)]
pub struct UnusedImport {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0309",
    title: "UnusedImport",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnusedImport {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnusedImport")
    }
}
