//! `P0004`: UnmatchedBracket.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnmatchedBracket.
#[derive(Clone, Debug)]
pub struct UnmatchedBracket {
    /// Where it is.
    pub span: Span,
    /// close
    pub close: String,
    /// closes
    pub closes: Option<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0004",
    title: "UnmatchedBracket",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnmatchedBracket {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnmatchedBracket")
    }
}
