//! `N0214`: AmbiguousPath.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// AmbiguousPath.
#[derive(Clone, Debug)]
pub struct AmbiguousPath {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// candidates
    pub candidates: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0214",
    title: "AmbiguousPath",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl AmbiguousPath {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "AmbiguousPath")
    }
}
