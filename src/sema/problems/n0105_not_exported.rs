//! `N0105`: NotExported.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// NotExported.
#[derive(Clone, Debug)]
pub struct NotExported {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// module
    pub module: String,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0105",
    title: "NotExported",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl NotExported {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "NotExported")
    }
}
