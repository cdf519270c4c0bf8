//! `T0127`: MisplacedPattern.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// MisplacedPattern.
#[derive(Clone, Debug)]
pub struct MisplacedPattern {
    /// Where it is.
    pub span: Span,
    /// what
    pub what: String,
    /// allowed
    pub allowed: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0127",
    title: "MisplacedPattern",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl MisplacedPattern {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "MisplacedPattern")
    }
}
