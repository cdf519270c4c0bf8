//! `T0132`: IndexOutOfFamily.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// IndexOutOfFamily.
#[derive(Clone, Debug)]
pub struct IndexOutOfFamily {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// index
    pub index: String,
    /// range
    pub range: String,
    /// declared
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0132",
    title: "IndexOutOfFamily",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl IndexOutOfFamily {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "IndexOutOfFamily")
    }
}
