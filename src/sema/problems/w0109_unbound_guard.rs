//! `W0109`: UnboundGuard.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnboundGuard.
#[derive(Clone, Debug)]
pub struct UnboundGuard {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0109",
    title: "UnboundGuard",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnboundGuard {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnboundGuard")
    }
}
