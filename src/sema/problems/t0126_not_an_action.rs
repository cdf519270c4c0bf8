//! `T0126`: value where an action is wanted.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Data where an action has to stand.
#[derive(Clone, Debug)]
pub struct NotAnAction {
    /// The expression.
    pub span: Span,
    /// The sort that it has.
    pub found: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0126",
    title: "value where an action is wanted",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
An action is wanted here: after the colon of a transition or of a vector's member,
as the result of a vector, or in a set of actions. What stands here is data.

Data travels in the arguments of actions: `set(n)`. An action that is not known
beforehand can be a parameter of sort `Action`.
",
    wrong: "\
action tick, count(Int);

net Numbered<n: Int>(P: any) {
    <P: count(n)> -> count(n);
    <P: tick>     -> «n»;
}
",
    right: "\
action tick, count(Int);

net Numbered<n: Int>(P: any) {
    <P: count(n)> -> count(n);
    <P: tick>     -> count(n);
}
",
};

impl NotAnAction {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("expected an action, found a value of sort `{}`", self.found);
        Diagnostic::new(entry, self.span, message)
            .label("not an action")
            .note("write an action, with the data in its arguments: `set(n)`")
    }
}
