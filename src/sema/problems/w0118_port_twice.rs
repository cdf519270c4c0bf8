//! `W0118`: PortTwice.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// PortTwice.
#[derive(Clone, Debug)]
pub struct PortTwice {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// first
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0118",
    title: "PortTwice",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl PortTwice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "PortTwice")
    }
}
