//! `N0205`: UnknownComponent.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownComponent.
#[derive(Clone, Debug)]
pub struct UnknownComponent {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0205",
    title: "UnknownComponent",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownComponent {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownComponent")
    }
}
