//! `P0010`: MisplacedModule.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// MisplacedModule.
#[derive(Clone, Debug)]
pub struct MisplacedModule {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0010",
    title: "MisplacedModule",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl MisplacedModule {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "MisplacedModule")
    }
}
