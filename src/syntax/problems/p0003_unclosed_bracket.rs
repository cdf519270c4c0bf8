//! `P0003`: UnclosedBracket.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnclosedBracket.
#[derive(Clone, Debug)]
pub struct UnclosedBracket {
    /// Where it is.
    pub span: Span,
    /// open
    pub open: String,
    /// close
    pub close: String,
    /// noticed
    pub noticed: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0003",
    title: "UnclosedBracket",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnclosedBracket {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnclosedBracket")
    }
}
