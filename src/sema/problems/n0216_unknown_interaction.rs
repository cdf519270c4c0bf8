//! `N0216`: UnknownInteraction.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownInteraction.
#[derive(Clone, Debug)]
pub struct UnknownInteraction {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0216",
    title: "UnknownInteraction",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownInteraction {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownInteraction")
    }
}
