//! `P0006`: KeywordAsName.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// KeywordAsName.
#[derive(Clone, Debug)]
pub struct KeywordAsName {
    /// Where it is.
    pub span: Span,
    /// word
    pub word: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0006",
    title: "KeywordAsName",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl KeywordAsName {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "KeywordAsName")
    }
}
