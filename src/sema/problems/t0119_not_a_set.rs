//! `T0119`: NotASet.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// NotASet.
#[derive(Clone, Debug)]
pub struct NotASet {
    /// Where it is.
    pub span: Span,
    /// found
    pub found: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0119",
    title: "NotASet",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl NotASet {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "NotASet")
    }
}
