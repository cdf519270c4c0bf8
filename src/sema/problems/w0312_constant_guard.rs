//! `W0312`: ConstantGuard.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// ConstantGuard.
#[derive(Clone, Debug)]
pub struct ConstantGuard {
    /// Where it is.
    pub span: Span,
    /// value
    pub value: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0312",
    title: "ConstantGuard",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl ConstantGuard {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "ConstantGuard")
    }
}
