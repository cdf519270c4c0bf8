//! `P0009`: ChainedComparison.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// ChainedComparison.
#[derive(Clone, Debug)]
pub struct ChainedComparison {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0009",
    title: "ChainedComparison",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl ChainedComparison {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "ChainedComparison")
    }
}
