//! `T0114`: EmptyRange.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// EmptyRange.
#[derive(Clone, Debug)]
pub struct EmptyRange {
    /// Where it is.
    pub span: Span,
    /// low
    pub low: String,
    /// high
    pub high: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0114",
    title: "EmptyRange",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl EmptyRange {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "EmptyRange")
    }
}
