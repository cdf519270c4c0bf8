//! `N0212`: UnknownCheck.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownCheck.
#[derive(Clone, Debug)]
pub struct UnknownCheck {
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
    code: "N0212",
    title: "UnknownCheck",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownCheck {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownCheck")
    }
}
