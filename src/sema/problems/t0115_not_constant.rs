//! `T0115`: NotConstant.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// NotConstant.
#[derive(Clone, Debug)]
pub struct NotConstant {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0115",
    title: "NotConstant",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl NotConstant {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "NotConstant")
    }
}
