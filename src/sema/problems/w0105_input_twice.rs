//! `W0105`: InputTwice.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// InputTwice.
#[derive(Clone, Debug)]
pub struct InputTwice {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// first
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0105",
    title: "InputTwice",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl InputTwice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "InputTwice")
    }
}
