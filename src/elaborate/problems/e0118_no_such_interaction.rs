//! `E0118`: priority of an interaction that there is not.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Priority of an interaction that there is not.
#[derive(Clone, Debug)]
pub struct NoSuchInteraction {
    /// Where it is ordered.
    pub span: Span,
    /// Its name.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0118",
    title: "priority of an interaction that there is not",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`brd[A.a B.b]` in a priority is the interaction of the connector `brd`, or of a vector that
shows `brd`, in which just these ports take part. There is none, so the priority would have no
effect.
",
    wrong: "\
action a, b, c, brd;

process P {
    init state s;

    s -> s : a;
    s -> s : c;
}

process Q {
    init state s;

    s -> s : b;
    s -> s : c;
}

net Pair {
    sub A = P;
    sub B = Q;

    connect brd : A.a' B.b;
    connect c   : A.c;
    connect b   : B.c;
    priority c < «brd[A.a B.c]»;
}
",
    right: "\
action a, b, c, brd;

process P {
    init state s;

    s -> s : a;
    s -> s : c;
}

process Q {
    init state s;

    s -> s : b;
    s -> s : c;
}

net Pair {
    sub A = P;
    sub B = Q;

    connect brd : A.a' B.b;
    connect c   : A.c;
    connect b   : B.c;
    priority c < brd[A.a B.b];
}
",
};

impl NoSuchInteraction {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("`{}` has no interaction of just these ports", self.name))
            .label("nothing that happens here")
            .note("name all ports that take part, and no others")
    }
}
