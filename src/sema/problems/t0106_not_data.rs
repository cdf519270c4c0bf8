//! `T0106`: NotData.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// NotData.
#[derive(Clone, Debug)]
pub struct NotData {
    /// Where it is.
    pub span: Span,
    /// found
    pub found: String,
    /// selector
    pub selector: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0106",
    title: "NotData",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl NotData {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "NotData")
    }
}
