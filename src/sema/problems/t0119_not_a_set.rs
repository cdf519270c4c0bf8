//! `T0119`: something that is no set of actions.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Something else where a set of actions is wanted.
#[derive(Clone, Debug)]
pub struct NotASet {
    /// The expression.
    pub span: Span,
    /// The sort that it has.
    pub found: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0119",
    title: "something that is no set of actions",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A set of actions is wanted: a parameter of the sort `actions`, or the right-hand
side of `in`. It is written between braces, `{ tick, set(_) }`, where `_` stands
for any value, or as the name of an interface, which means all actions it lists.

A single action also needs its braces.
",
    wrong: "\
net Only<H: Int>(P: any) {
    <P: ?a> -> a when a in «H»;
}
",
    right: "\
net Only<H: actions>(P: any) {
    <P: ?a> -> a when a in H;
}
",
};

impl NotASet {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("expected a set of actions, found a value of sort `{}`", self.found);
        Diagnostic::new(entry, self.span, message).label("not a set of actions").note(
            "write actions between braces, as in `{ tick, set(_) }`, or the name of an interface",
        )
    }
}
