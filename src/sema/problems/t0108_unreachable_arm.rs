//! `T0108`: UnreachableArm.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// UnreachableArm.
#[derive(Clone, Debug)]
pub struct UnreachableArm {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0108",
    title: "UnreachableArm",
    severity: Severity::Warning,
    on_request: false,
    explanation: "",
    wrong: "",
    right: "",
};

impl UnreachableArm {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "UnreachableArm")
    }
}
