//! `T0116`: ValueCount.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// ValueCount.
#[derive(Clone, Debug)]
pub struct ValueCount {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// expected
    pub expected: usize,
    /// found
    pub found: usize,
    /// declared
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0116",
    title: "ValueCount",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl ValueCount {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "ValueCount")
    }
}
