//! `T0161`: condition in brackets on what gets its value from nothing.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A name in the condition of brackets, which no member outside of brackets binds.
#[derive(Clone, Debug)]
pub struct UnboundCondition {
    /// Where it is read.
    pub span: Span,
    /// The name.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0161",
    title: "condition in brackets on what gets its value from nothing",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The condition in brackets, `[S[i]: tick for i in 0..n when i != k]`, says for which indices
a member takes part. It may read indices, parameters, constants, and data that a member
outside of the brackets gives. This name gets its value from nowhere.
",
    wrong: "\
action tick;

process Member {
    init state s;

    s -> s : tick;
}

net Council {
    sub S[i: 0..3] = Member;

    <[S[i]: tick for i in 0..3 when i != «k»]> -> tick;
}
",
    right: "\
action tick;

process Member {
    init state s;

    s -> s : tick;
}

net Council {
    sub S[i: 0..3] = Member;

    <[S[i]: tick for i in 0..3 when i != k]> -> tick for k in 0..3;
}
",
};

impl UnboundCondition {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("`{name}` gets its value from nothing"))
            .label("no member outside of the brackets has it")
            .note(format!("to have one for each index, add `for {name} in 0..n` at the end; or let a member's action have it"))
    }
}
