//! `N0209`: UnknownHole.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownHole.
#[derive(Clone, Debug)]
pub struct UnknownHole {
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
    code: "N0209",
    title: "UnknownHole",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownHole {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownHole")
    }
}
