//! `N0102`: ImportCycle.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// ImportCycle.
#[derive(Clone, Debug)]
pub struct ImportCycle {
    /// Where it is.
    pub span: Span,
    /// cycle
    pub cycle: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0102",
    title: "ImportCycle",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl ImportCycle {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "ImportCycle")
    }
}
