//! `W0119`: TransferTarget.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// TransferTarget.
#[derive(Clone, Debug)]
pub struct TransferTarget {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0119",
    title: "TransferTarget",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl TransferTarget {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "TransferTarget")
    }
}
