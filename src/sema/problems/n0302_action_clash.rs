//! `N0302`: ActionClash.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// ActionClash.
#[derive(Clone, Debug)]
pub struct ActionClash {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// arity
    pub arity: usize,
    /// first
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0302",
    title: "ActionClash",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl ActionClash {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "ActionClash")
    }
}
