//! `W0117`: PriorityCycle.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// PriorityCycle.
#[derive(Clone, Debug)]
pub struct PriorityCycle {
    /// Where it is.
    pub span: Span,
    /// cycle
    pub cycle: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0117",
    title: "PriorityCycle",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl PriorityCycle {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "PriorityCycle")
    }
}
