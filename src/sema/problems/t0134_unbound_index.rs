//! `T0134`: index that gets its value from nothing.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An index of a family in a vector or connector, whose variable no member's action binds.
#[derive(Clone, Debug)]
pub struct UnboundIndex {
    /// The index.
    pub span: Span,
    /// The variable.
    pub name: String,
    /// The range of the family, where it is known: `0..3`.
    pub range: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0134",
    title: "index that gets its value from nothing",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The index of a family says which of its members takes part. In a vector or a connector it
is a number, an index of `for`, or data that the action of a member gives: `<C: call(i),
S[i]: answer>`. This one gets its value from nowhere.

To have the vector for each member of the family, repeat it with `for`.
",
    wrong: "\
action done, done(Int);

process Worker {
    init state s;

    s -> s : done;
}

net Pool {
    sub W[i: 0..3] = Worker;

    <W[«i»]: done> -> done(i);
}
",
    right: "\
action done, done(Int);

process Worker {
    init state s;

    s -> s : done;
}

net Pool {
    sub W[i: 0..3] = Worker;

    <W[i]: done> -> done(i) for i in 0..3;
}
",
};

impl UnboundIndex {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let range = self.range.as_deref().unwrap_or("0..n");
        Diagnostic::new(entry, self.span, format!("`{name}` gets its value from nothing"))
            .label("no member's action has it")
            .note(format!("to have one for each member of the family, add `for {name} in {range}` at the end"))
    }
}
