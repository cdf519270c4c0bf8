//! `W0111`: EmptyVector.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// EmptyVector.
#[derive(Clone, Debug)]
pub struct EmptyVector {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0111",
    title: "EmptyVector",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl EmptyVector {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "EmptyVector")
    }
}
