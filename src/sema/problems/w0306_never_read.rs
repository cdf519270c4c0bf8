//! `W0306`: NeverRead.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// NeverRead.
#[derive(Clone, Debug)]
pub struct NeverRead {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// variable
    pub variable: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0306",
    title: "NeverRead",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl NeverRead {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "NeverRead")
    }
}
