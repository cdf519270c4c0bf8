//! `A0101`: not known whether a transition can happen.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// It is not known whether a transition can happen.
#[derive(Clone, Debug)]
pub struct UnknownTransition {
    /// Where it is.
    pub span: Span,
    /// Its number in the automaton.
    pub number: usize,
    /// The state in which it starts.
    pub source: String,
    /// The state in which it ends.
    pub target: String,
    /// Why it is not known.
    pub why: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "A0101",
    title: "not known whether a transition can happen",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
The solver could not tell whether the condition of this transition can hold: the time
was up, or the condition is of a kind that no solver decides, such as products of
variables or quantifiers. The transition is kept, so nothing is lost; but the
automaton may have a transition that can never happen.

Give the solver more time with `--solver-timeout`, fix symbolic constants with
`--set`, or write the condition in a simpler way.
",
    wrong: "",
    right: "",
};

impl UnknownTransition {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("it is not known whether transition {} can happen", self.number);
        Diagnostic::new(entry, self.span, message)
            .label(format!("from `{}` to `{}`: {}", self.source, self.target, self.why))
            .note("it is kept; `--solver-timeout SECONDS` gives the solver more time")
    }
}
