//! `E0117`: priorities that go round in a circle.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Priorities that go round in a circle.
#[derive(Clone, Debug)]
pub struct PriorityCircle {
    /// What closes the circle.
    pub span: Span,
    /// What stands on the way, from the lowest on.
    pub cycle: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0117",
    title: "priorities that go round in a circle",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Orders are transitive: what is below something is below all that this is below. By these, an
interaction would have to wait for itself.

`*` stands for all others, so that two orders with it, `* < a` and `* < b`, are a circle.
",
    wrong: "\
action go, go(Int), halt;

process Motor {
    init state s;

    s -> s : go(1);
    s -> s : halt;
}

net Drive {
    sub M = Motor;

    <M: go(x)> -> go(x);
    <M: halt>  -> halt;
    priority * < halt, halt < «go(1)»;
}
",
    right: "\
action go, go(Int), halt;

process Motor {
    init state s;

    s -> s : go(1);
    s -> s : halt;
}

net Drive {
    sub M = Motor;

    <M: go(x)> -> go(x);
    <M: halt>  -> halt;
    priority * < halt;
}
",
};

impl PriorityCircle {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let order: Vec<String> = self.cycle.iter().map(|name| format!("`{name}`")).collect();
        Diagnostic::new(entry, self.span, "by these priorities, an interaction would have to wait for itself")
            .label("closes the circle")
            .note(format!("together the priorities say {}", order.join(" < ")))
            .note("remove one of them")
    }
}
