//! `W0106`: variable assigned twice.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A variable that one transition assigns twice.
#[derive(Clone, Debug)]
pub struct AssignedTwice {
    /// The second target.
    pub span: Span,
    /// The variable.
    pub name: String,
    /// The first target.
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0106",
    title: "variable assigned twice",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The assignments of a transition happen all at once, each with the values from
before the transition. If a variable stood twice on the left, it would be unclear
which value it gets. The same holds of a part of it: `a[0] := 1, a[0] := 2`.

Write one assignment with the final value, or put the assignments into braces, with `;`
between them: `do { n := n + 1; n := n * 2 }` does one after the other.
",
    wrong: "\
action tick(Int);

process Counter {
    var n: Int = 0;
    init state s;

    s -> s : tick(n) do n := n + 1, «n» := n * 2;
}
",
    right: "\
action tick(Int);

process Counter {
    var n: Int = 0;
    init state s;

    s -> s : tick(n) do n := (n + 1) * 2;
}
",
};

impl AssignedTwice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("`{name}` is assigned twice in one step"))
            .label("assigned again")
            .also(self.first, "assigned here first")
            .note("all assignments of a step happen at once: write one, with the final value, or `do { … }` for one after the other")
    }
}
