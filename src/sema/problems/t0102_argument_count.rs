//! `T0102`: ArgumentCount.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// ArgumentCount.
#[derive(Clone, Debug)]
pub struct ArgumentCount {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// what
    pub what: String,
    /// expected
    pub expected: usize,
    /// found
    pub found: usize,
    /// declared
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0102",
    title: "ArgumentCount",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl ArgumentCount {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "ArgumentCount")
    }
}
