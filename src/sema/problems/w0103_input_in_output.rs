//! `W0103`: InputInOutput.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// InputInOutput.
#[derive(Clone, Debug)]
pub struct InputInOutput {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// input
    pub input: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0103",
    title: "InputInOutput",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl InputInOutput {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "InputInOutput")
    }
}
