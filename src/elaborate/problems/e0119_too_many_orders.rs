//! `E0119`: too many orders.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Too many orders.
#[derive(Clone, Debug)]
pub struct TooManyOrders {
    /// Where the first of them stands.
    pub span: Span,
    /// How many there may be.
    pub limit: usize,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0119",
    title: "too many orders",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Orders are closed transitively, each way with its own guard. Here more follow than anybody could
look at.

Use fewer guards, or name what is ordered once with `*`.
",
    wrong: "\
action a(Int), stop;
const MANY: Int = 20000;

process P {
    init state s;

    s -> s : a(1);
    s -> s : stop;
}

net Large {
    sub A = P;

    <A: a(x)> -> a(x);
    <A: stop> -> stop;
    priority «a(i)» < stop for i in 0..MANY;
}
",
    right: "\
action a(Int), stop;

process P {
    init state s;

    s -> s : a(1);
    s -> s : stop;
}

net Large {
    sub A = P;

    <A: a(x)> -> a(x);
    <A: stop> -> stop;
    priority a < stop;
}
",
};

impl TooManyOrders {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("there are more than {} orders, counted with those that follow", self.limit))
            .label("too many")
            .note("leave out arguments and guards where they do not matter")
    }
}
