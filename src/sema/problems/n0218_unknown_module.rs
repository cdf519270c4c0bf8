//! `N0218`: UnknownModule.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownModule.
#[derive(Clone, Debug)]
pub struct UnknownModule {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0218",
    title: "UnknownModule",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownModule {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownModule")
    }
}
