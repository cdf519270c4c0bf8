//! `W0115`: RecursiveNet.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// RecursiveNet.
#[derive(Clone, Debug)]
pub struct RecursiveNet {
    /// Where it is.
    pub span: Span,
    /// cycle
    pub cycle: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0115",
    title: "RecursiveNet",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl RecursiveNet {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "RecursiveNet")
    }
}
