//! `N0217`: WrongKind.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// WrongKind.
#[derive(Clone, Debug)]
pub struct WrongKind {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// found
    pub found: String,
    /// wanted
    pub wanted: String,
    /// declared
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0217",
    title: "WrongKind",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl WrongKind {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "WrongKind")
    }
}
