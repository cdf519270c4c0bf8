//! `T0127`: pattern where a value is wanted.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A `_` or an input where no pattern can stand.
#[derive(Clone, Debug)]
pub struct MisplacedPattern {
    /// The pattern.
    pub span: Span,
    /// What it is.
    pub what: String,
    /// Where it can stand: `the arguments of an action and patterns`.
    pub allowed: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0127",
    title: "pattern where a value is wanted",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`_` matches any value, `?x` matches any value and gives it a name: both can only
stand where something is matched. In an action of a transition they receive a
value; in a vector, in an `is` test and in the arms of a `match` they leave a
value open. In an expression that has to have a value they say nothing.

For a variable that starts with any value, leave the value out: `var n: Int;`.
",
    wrong: "\
action tick(Int);

process Counter {
    var n: Int = «_»;
    init state s;

    s -> s : tick(n) do n := n + 1;
}
",
    right: "\
action tick(Int);

process Counter {
    var n: Int;
    init state s;

    s -> s : tick(n) do n := n + 1;
}
",
};

impl MisplacedPattern {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("{} has no value here", self.what))
            .label("a value is wanted")
            .note(format!("{} can only stand in {}", self.what, self.allowed))
    }
}
