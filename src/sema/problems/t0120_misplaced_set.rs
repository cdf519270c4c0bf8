//! `T0120`: set of actions where a value is wanted.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A set of actions somewhere else than in a test or as a parameter.
#[derive(Clone, Debug)]
pub struct MisplacedSet {
    /// The set.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0120",
    title: "set of actions where a value is wanted",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A set of actions, written between braces, can only stand at the right of `in` and
`not in`, and as a parameter of the sort `actions`. It is not a value that could
be compared, stored or passed in an action.

To ask whether an action is one of several, write `a in { tick, set(_) }`.
",
    wrong: "\
action tick;

net Only(P: any, Q: any) {
    <P: tick> -> tick;
    <Q: ?a>   -> a    when a == «{ tick }»;
}
",
    right: "\
action tick;

net Only(P: any, Q: any) {
    <P: tick> -> tick;
    <Q: ?a>   -> a    when a in { tick };
}
",
};

impl MisplacedSet {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "a set of actions cannot be used as a value")
            .label("sets of actions are no values")
            .note("a set can stand after `in` and `not in`, and as a parameter of sort `actions`")
    }
}
