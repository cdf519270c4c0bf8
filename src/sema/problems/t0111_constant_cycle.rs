//! `T0111`: ConstantCycle.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// ConstantCycle.
#[derive(Clone, Debug)]
pub struct ConstantCycle {
    /// Where it is.
    pub span: Span,
    /// cycle
    pub cycle: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0111",
    title: "ConstantCycle",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl ConstantCycle {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "ConstantCycle")
    }
}
