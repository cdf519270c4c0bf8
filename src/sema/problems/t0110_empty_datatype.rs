//! `T0110`: EmptyDatatype.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// EmptyDatatype.
#[derive(Clone, Debug)]
pub struct EmptyDatatype {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0110",
    title: "EmptyDatatype",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl EmptyDatatype {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "EmptyDatatype")
    }
}
