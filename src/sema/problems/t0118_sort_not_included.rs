//! `T0118`: SortNotIncluded.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// SortNotIncluded.
#[derive(Clone, Debug)]
pub struct SortNotIncluded {
    /// Where it is.
    pub span: Span,
    /// hole
    pub hole: String,
    /// interface
    pub interface: String,
    /// extra
    pub extra: Vec<String>,
    /// declared
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0118",
    title: "SortNotIncluded",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl SortNotIncluded {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "SortNotIncluded")
    }
}
