//! `W0311`: UnconnectedPort.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnconnectedPort.
#[derive(Clone, Debug)]
pub struct UnconnectedPort {
    /// Where it is.
    pub span: Span,
    /// action
    pub action: String,
    /// part
    pub part: String,
    /// component
    pub component: String,
    /// declared
    pub declared: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0311",
    title: "UnconnectedPort",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnconnectedPort {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnconnectedPort")
    }
}
