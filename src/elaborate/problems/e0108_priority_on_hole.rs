//! `E0108`: priority that depends on a hole.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Priority that depends on a hole.
#[derive(Clone, Debug)]
pub struct PriorityOnHole {
    /// Where it is.
    pub span: Span,
    /// The hole.
    pub hole: String,
    /// The interaction that goes before.
    pub high: String,
    /// What gives way, in words.
    pub low: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0108",
    title: "priority that depends on a hole",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
An interaction gives way exactly where a higher one is possible. When a member of the
higher one is a hole, nobody knows whether it offers its action, and both answers
could be wrong once the hole is filled.

Fill the hole first, or order only interactions between parts that are written.
",
    wrong: "\
action tick, ask;

process Clock {
    init state s;

    s -> s : tick;
}

net Watch(User: any) {
    sub C = Clock;

    connect tick : C.tick;
    connect ask  : User.ask;
    priority «tick < ask»;
}
",
    right: "\
action tick, ask;

process Clock {
    init state s;

    s -> s : tick;
    s -> s : ask;
}

net Watch {
    sub C = Clock;

    connect tick : C.tick;
    connect ask  : C.ask;
    priority tick < ask;
}
",
};

impl PriorityOnHole {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("whether `{}` is possible depends on the hole `{}`", self.high, self.hole))
            .label(format!("{} would have to know that", self.low))
            .note("fill the hole, or leave it out of the priority: nothing is guessed about what is not there")
    }
}
