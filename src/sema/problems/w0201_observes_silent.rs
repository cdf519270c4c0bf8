//! `W0201`: ObservesSilent.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// ObservesSilent.
#[derive(Clone, Debug)]
pub struct ObservesSilent {
    /// Where it is.
    pub span: Span,
    /// net
    pub net: String,
    /// part
    pub part: String,
    /// kind
    pub kind: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0201",
    title: "ObservesSilent",
    severity: Severity::Warning,
    on_request: true,
    explanation: "",
    wrong: "",
    right: "",
};

impl ObservesSilent {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "ObservesSilent")
    }
}
