//! `N0208`: UnknownInterface.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnknownInterface.
#[derive(Clone, Debug)]
pub struct UnknownInterface {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// similar
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0208",
    title: "UnknownInterface",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnknownInterface {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnknownInterface")
    }
}
