//! `W0108`: UnboundResult.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnboundResult.
#[derive(Clone, Debug)]
pub struct UnboundResult {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0108",
    title: "UnboundResult",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnboundResult {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnboundResult")
    }
}
