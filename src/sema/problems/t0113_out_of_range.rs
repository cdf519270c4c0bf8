//! `T0113`: OutOfRange.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// OutOfRange.
#[derive(Clone, Debug)]
pub struct OutOfRange {
    /// Where it is.
    pub span: Span,
    /// value
    pub value: String,
    /// range
    pub range: String,
    /// declared
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0113",
    title: "OutOfRange",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl OutOfRange {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "OutOfRange")
    }
}
