//! `W0107`: EmptyNet.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// EmptyNet.
#[derive(Clone, Debug)]
pub struct EmptyNet {
    /// Where it is.
    pub span: Span,
    /// net
    pub net: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0107",
    title: "EmptyNet",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl EmptyNet {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "EmptyNet")
    }
}
