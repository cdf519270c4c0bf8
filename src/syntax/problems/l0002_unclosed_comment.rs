//! `L0002`: UnclosedComment.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnclosedComment.
#[derive(Clone, Debug)]
pub struct UnclosedComment {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "L0002",
    title: "UnclosedComment",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnclosedComment {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnclosedComment")
    }
}
