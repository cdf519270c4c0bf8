//! `P0005`: TooDeep.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// TooDeep.
#[derive(Clone, Debug)]
pub struct TooDeep {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0005",
    title: "TooDeep",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl TooDeep {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "TooDeep")
    }
}
