//! `T0120`: MisplacedSet.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// MisplacedSet.
#[derive(Clone, Debug)]
pub struct MisplacedSet {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0120",
    title: "MisplacedSet",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl MisplacedSet {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "MisplacedSet")
    }
}
