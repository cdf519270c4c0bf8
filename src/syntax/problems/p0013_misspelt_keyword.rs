//! `P0013`: MisspeltKeyword.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// MisspeltKeyword.
#[derive(Clone, Debug)]
pub struct MisspeltKeyword {
    /// Where it is.
    pub span: Span,
    /// found
    pub found: String,
    /// meant
    pub meant: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0013",
    title: "MisspeltKeyword",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl MisspeltKeyword {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "MisspeltKeyword")
    }
}
