//! `N0204`: WrongArity.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// WrongArity.
#[derive(Clone, Debug)]
pub struct WrongArity {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// given
    pub given: usize,
    /// declared
    pub declared: Vec<(usize, Span)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0204",
    title: "WrongArity",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl WrongArity {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "WrongArity")
    }
}
