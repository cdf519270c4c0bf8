//! `P0007`: WrongEquals.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// WrongEquals.
#[derive(Clone, Debug)]
pub struct WrongEquals {
    /// Where it is.
    pub span: Span,
    /// meant
    pub meant: String,
    /// found
    pub found: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0007",
    title: "WrongEquals",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl WrongEquals {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "WrongEquals")
    }
}
