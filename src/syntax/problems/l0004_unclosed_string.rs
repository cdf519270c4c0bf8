//! `L0004`: UnclosedString.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnclosedString.
#[derive(Clone, Debug)]
pub struct UnclosedString {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "L0004",
    title: "UnclosedString",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnclosedString {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnclosedString")
    }
}
