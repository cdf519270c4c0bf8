//! `W0117`: priorities in a circle.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Priorities that put something before itself.
#[derive(Clone, Debug)]
pub struct PriorityCycle {
    /// The name that closes the circle.
    pub span: Span,
    /// The interactions; the last is the first again.
    pub cycle: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0117",
    title: "priorities in a circle",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`priority low < high;` lets `low` wait as long as `high` is possible. Priorities
of one net add up, and here they lead in a circle: each interaction would wait for
the next, and in the end for itself, so none of them could happen.

Remove one of the orders.
",
    wrong: "\
action go, halt;

process Motor {
    init state s;

    s -> s : go;
    s -> s : halt;
}

net Drive {
    sub M = Motor;

    connect go   : M.go;
    connect halt : M.halt;
    priority go < halt < «go»;
}
",
    right: "\
action go, halt;

process Motor {
    init state s;

    s -> s : go;
    s -> s : halt;
}

net Drive {
    sub M = Motor;

    connect go   : M.go;
    connect halt : M.halt;
    priority go < halt;
}
",
};

impl PriorityCycle {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = match self.cycle.first() {
            Some(name) => format!("by these priorities, `{name}` would have to wait for itself"),
            None => "these priorities go round in a circle".to_owned(),
        };
        let order: Vec<String> = self.cycle.iter().map(|name| format!("`{name}`")).collect();
        Diagnostic::new(entry, self.span, message)
            .label("closes the circle")
            .note(format!("together the priorities say {}", order.join(" < ")))
            .note("remove one of them")
    }
}
