//! `T0131`: BadPattern.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// BadPattern.
#[derive(Clone, Debug)]
pub struct BadPattern {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0131",
    title: "BadPattern",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl BadPattern {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "BadPattern")
    }
}
