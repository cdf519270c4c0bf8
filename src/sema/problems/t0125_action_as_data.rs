//! `T0125`: ActionAsData.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// ActionAsData.
#[derive(Clone, Debug)]
pub struct ActionAsData {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0125",
    title: "ActionAsData",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl ActionAsData {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "ActionAsData")
    }
}
