//! `W0113`: NeverOffered.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// NeverOffered.
#[derive(Clone, Debug)]
pub struct NeverOffered {
    /// Where it is.
    pub span: Span,
    /// action
    pub action: String,
    /// part
    pub part: String,
    /// component
    pub component: String,
    /// similar
    pub similar: Option<String>,
    /// declared
    pub declared: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0113",
    title: "NeverOffered",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl NeverOffered {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "NeverOffered")
    }
}
