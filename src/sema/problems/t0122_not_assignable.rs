//! `T0122`: NotAssignable.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// NotAssignable.
#[derive(Clone, Debug)]
pub struct NotAssignable {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// what
    pub what: String,
    /// declared
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0122",
    title: "NotAssignable",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl NotAssignable {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "NotAssignable")
    }
}
