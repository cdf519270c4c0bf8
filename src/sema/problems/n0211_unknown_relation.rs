//! `N0211`: UnknownRelation.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownRelation.
#[derive(Clone, Debug)]
pub struct UnknownRelation {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0211",
    title: "UnknownRelation",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownRelation {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownRelation")
    }
}
