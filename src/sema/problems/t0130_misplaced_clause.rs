//! `T0130`: MisplacedClause.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// MisplacedClause.
#[derive(Clone, Debug)]
pub struct MisplacedClause {
    /// Where it is.
    pub span: Span,
    /// clause
    pub clause: String,
    /// check
    pub check: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0130",
    title: "MisplacedClause",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl MisplacedClause {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "MisplacedClause")
    }
}
