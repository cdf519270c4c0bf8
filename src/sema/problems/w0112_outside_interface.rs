//! `W0112`: OutsideInterface.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// OutsideInterface.
#[derive(Clone, Debug)]
pub struct OutsideInterface {
    /// Where it is.
    pub span: Span,
    /// action
    pub action: String,
    /// hole
    pub hole: String,
    /// interface
    pub interface: String,
    /// declared
    pub declared: Span,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0112",
    title: "OutsideInterface",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl OutsideInterface {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "OutsideInterface")
    }
}
