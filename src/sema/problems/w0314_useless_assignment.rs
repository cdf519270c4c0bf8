//! `W0314`: UselessAssignment.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UselessAssignment.
#[derive(Clone, Debug)]
pub struct UselessAssignment {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0314",
    title: "UselessAssignment",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UselessAssignment {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UselessAssignment")
    }
}
