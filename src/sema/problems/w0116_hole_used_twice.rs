//! `W0116`: HoleUsedTwice.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// HoleUsedTwice.
#[derive(Clone, Debug)]
pub struct HoleUsedTwice {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// first
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0116",
    title: "HoleUsedTwice",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl HoleUsedTwice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "HoleUsedTwice")
    }
}
