//! `T0128`: FamilyIndex.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// FamilyIndex.
#[derive(Clone, Debug)]
pub struct FamilyIndex {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// family
    pub family: bool,
    /// declared
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0128",
    title: "FamilyIndex",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl FamilyIndex {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "FamilyIndex")
    }
}
