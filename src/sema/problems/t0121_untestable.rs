//! `T0121`: Untestable.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Untestable.
#[derive(Clone, Debug)]
pub struct Untestable {
    /// Where it is.
    pub span: Span,
    /// found
    pub found: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0121",
    title: "Untestable",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl Untestable {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "Untestable")
    }
}
