//! `P0008`: MisplacedStatement.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// MisplacedStatement.
#[derive(Clone, Debug)]
pub struct MisplacedStatement {
    /// Where it is.
    pub span: Span,
    /// what
    pub what: String,
    /// place
    pub place: String,
    /// belongs
    pub belongs: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0008",
    title: "MisplacedStatement",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl MisplacedStatement {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "MisplacedStatement")
    }
}
