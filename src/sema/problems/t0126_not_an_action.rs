//! `T0126`: NotAnAction.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// NotAnAction.
#[derive(Clone, Debug)]
pub struct NotAnAction {
    /// Where it is.
    pub span: Span,
    /// found
    pub found: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0126",
    title: "NotAnAction",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl NotAnAction {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "NotAnAction")
    }
}
