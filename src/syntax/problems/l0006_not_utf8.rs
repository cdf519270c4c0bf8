//! `L0006`: NotUtf8.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// NotUtf8.
#[derive(Clone, Debug)]
pub struct NotUtf8 {
    /// Where it is.
    pub span: Span,
    /// byte
    pub byte: u8,
    /// offset
    pub offset: usize,
}

pub(super) const ENTRY: Entry = Entry {
    code: "L0006",
    title: "NotUtf8",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl NotUtf8 {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "NotUtf8")
    }
}
