//! `W0304`: UnusedPart.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnusedPart.
#[derive(Clone, Debug)]
pub struct UnusedPart {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// net
    pub net: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0304",
    title: "UnusedPart",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnusedPart {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnusedPart")
    }
}
