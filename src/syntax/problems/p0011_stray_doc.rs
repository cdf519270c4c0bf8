//! `P0011`: StrayDoc.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// StrayDoc.
#[derive(Clone, Debug)]
pub struct StrayDoc {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0011",
    title: "StrayDoc",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl StrayDoc {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "StrayDoc")
    }
}
