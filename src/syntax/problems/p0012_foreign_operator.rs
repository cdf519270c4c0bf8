//! `P0012`: ForeignOperator.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// ForeignOperator.
#[derive(Clone, Debug)]
pub struct ForeignOperator {
    /// Where it is.
    pub span: Span,
    /// found
    pub found: String,
    /// meant
    pub meant: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0012",
    title: "ForeignOperator",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl ForeignOperator {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "ForeignOperator")
    }
}
