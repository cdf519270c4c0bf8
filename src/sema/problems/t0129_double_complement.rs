//! `T0129`: DoubleComplement.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// DoubleComplement.
#[derive(Clone, Debug)]
pub struct DoubleComplement {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0129",
    title: "DoubleComplement",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl DoubleComplement {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "DoubleComplement")
    }
}
