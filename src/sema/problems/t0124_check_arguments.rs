//! `T0124`: CheckArguments.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// CheckArguments.
#[derive(Clone, Debug)]
pub struct CheckArguments {
    /// Where it is.
    pub span: Span,
    /// check
    pub check: String,
    /// wants
    pub wants: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0124",
    title: "CheckArguments",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl CheckArguments {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "CheckArguments")
    }
}
