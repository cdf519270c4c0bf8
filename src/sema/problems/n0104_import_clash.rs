//! `N0104`: ImportClash.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// ImportClash.
#[derive(Clone, Debug)]
pub struct ImportClash {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// other
    pub other: Span,
    /// other_is_import
    pub other_is_import: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0104",
    title: "ImportClash",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl ImportClash {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "ImportClash")
    }
}
