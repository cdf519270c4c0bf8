//! `T0107`: NotExhaustive.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// NotExhaustive.
#[derive(Clone, Debug)]
pub struct NotExhaustive {
    /// Where it is.
    pub span: Span,
    /// missing
    pub missing: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0107",
    title: "NotExhaustive",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl NotExhaustive {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "NotExhaustive")
    }
}
