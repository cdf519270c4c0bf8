//! `E0122`: values of `--set` that contradict the axioms.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Values of `--set` that contradict the axioms.
#[derive(Clone, Debug)]
pub struct ContradictingSettings {
    /// An axiom, or the first of those that contradict each other.
    pub span: Span,
    /// What was set, in words.
    pub settings: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0122",
    title: "values of `--set` that contradict the axioms",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`--set N=0` gives a value to a symbolic constant, and an axiom says that it cannot have
this value. From a contradiction anything would follow, so nothing is checked.

Set a value that the axioms allow.
",
    wrong: "",
    right: "",
};

impl ContradictingSettings {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("`{}` contradicts the axioms", self.settings))
            .label("no values of the constants meet this and what was set")
            .note("set a value that the axioms allow")
    }
}
