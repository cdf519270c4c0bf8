//! `W0308`: SingleUse.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// SingleUse.
#[derive(Clone, Debug)]
pub struct SingleUse {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0308",
    title: "SingleUse",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl SingleUse {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "SingleUse")
    }
}
