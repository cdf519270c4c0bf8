//! `N0206`: UnknownPart.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownPart.
#[derive(Clone, Debug)]
pub struct UnknownPart {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// net
    pub net: String,
    /// similar
    pub similar: Option<String>,
    /// known
    pub known: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0206",
    title: "UnknownPart",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownPart {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownPart")
    }
}
