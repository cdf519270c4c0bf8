//! `N0227`: connectors that are parts of each other.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Connectors that are parts of each other.
#[derive(Clone, Debug)]
pub struct ConnectCycle {
    /// The first of them.
    pub span: Span,
    /// Their names, the first one again at the end.
    pub cycle: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0227",
    title: "connectors that are parts of each other",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A connector that has a port shown by another one is above that one: its interactions
contain those below. So a connector cannot be above itself, whether at once or through
others.

Follow the names in the message, and put a port of a part where one of them uses the
port that the next one shows.
",
    wrong: "\
action all, out(Int, Int);

process Part<v: Int> {
    var x: Int = v;
    init state s;

    s -> s : out(x, ?y) do x := y;
}

connector Max(p: port(x: Int, in y: Int), q: port(x: Int, in y: Int)) shows top(m: Int, in r: Int) {
    p q up top.m := if p.x > q.x then p.x else q.x down p.y := top.r, q.y := top.r;
}

connector Max2(p: port(x: Int, in y: Int), q: port(x: Int, in y: Int)) {
    p q;
}

net Trio {
    sub A = Part<1>;
    sub B = Part<5>;
    sub C = Part<3>;

    connect «two» : Max(one.top, B.out);
    connect one : Max(two.top, C.out);
    connect all : Max2(A.out, C.out);
}
",
    right: "\
action all(Int), out(Int, Int);

process Part<v: Int> {
    var x: Int = v;
    init state s;

    s -> s : out(x, ?y) do x := y;
}

connector Max(p: port(x: Int, in y: Int), q: port(x: Int, in y: Int)) shows top(m: Int, in r: Int) {
    p q up top.m := if p.x > q.x then p.x else q.x down p.y := top.r, q.y := top.r;
}

net Trio {
    sub A = Part<1>;
    sub B = Part<5>;
    sub C = Part<3>;

    connect two        : Max(A.out, B.out);
    connect all(top.m) : Max(two.top, C.out);
}
",
};

impl ConnectCycle {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let cycle = self.cycle.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        Diagnostic::new(entry, self.span, format!("these connectors are parts of each other: {cycle}"))
            .label("above itself")
            .note("put a port of a part in the place of one of the shown ports")
    }
}
