//! `W0110`: MemberTwice.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// MemberTwice.
#[derive(Clone, Debug)]
pub struct MemberTwice {
    /// Where it is.
    pub span: Span,
    /// name
    pub name: String,
    /// first
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0110",
    title: "MemberTwice",
    severity: Severity::Error,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl MemberTwice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "MemberTwice")
    }
}
