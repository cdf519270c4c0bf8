//! `L0001`: BadCharacter.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// BadCharacter.
#[derive(Clone, Debug)]
pub struct BadCharacter {
    /// Where it is.
    pub span: Span,
    /// text
    pub text: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "L0001",
    title: "BadCharacter",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl BadCharacter {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "BadCharacter")
    }
}
