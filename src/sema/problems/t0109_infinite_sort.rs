//! `T0109`: InfiniteSort.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// InfiniteSort.
#[derive(Clone, Debug)]
pub struct InfiniteSort {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0109",
    title: "InfiniteSort",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl InfiniteSort {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "InfiniteSort")
    }
}
