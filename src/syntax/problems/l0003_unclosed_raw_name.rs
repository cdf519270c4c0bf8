//! `L0003`: UnclosedRawName.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnclosedRawName.
#[derive(Clone, Debug)]
pub struct UnclosedRawName {
    /// Where it is.
    pub span: Span,
    /// closed
    pub closed: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "L0003",
    title: "UnclosedRawName",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnclosedRawName {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnclosedRawName")
    }
}
