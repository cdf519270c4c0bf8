//! `T0103`: NotCallable.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// NotCallable.
#[derive(Clone, Debug)]
pub struct NotCallable {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// what
    pub what: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0103",
    title: "NotCallable",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl NotCallable {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "NotCallable")
    }
}
