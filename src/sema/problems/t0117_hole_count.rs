//! `T0117`: HoleCount.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// HoleCount.
#[derive(Clone, Debug)]
pub struct HoleCount {
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
    code: "T0117",
    title: "HoleCount",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl HoleCount {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "HoleCount")
    }
}
