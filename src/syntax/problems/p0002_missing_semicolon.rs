//! `P0002`: MissingSemicolon.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// MissingSemicolon.
#[derive(Clone, Debug)]
pub struct MissingSemicolon {
    /// Where it is.
    pub span: Span,
    /// next
    pub next: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0002",
    title: "MissingSemicolon",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl MissingSemicolon {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "MissingSemicolon")
    }
}
