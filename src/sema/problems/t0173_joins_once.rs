//! `T0173`: connector that joins nothing, or twice.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A definition without a statement that joins its ports, or with two.
#[derive(Clone, Debug)]
pub struct JoinsOnce {
    /// The second statement, or the name of the definition.
    pub span: Span,
    /// The definition.
    pub name: String,
    /// The first statement.
    pub first: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0173",
    title: "connector that joins nothing, or twice",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
One statement of a definition says how its ports are joined, with triggers and groups;
all others start with `on`, and say more about single interactions:

    connector Tell(s: port(x: Int), r: port(y: Int)) {
        s' r;
        on s r down r.y := s.x;
    }
",
    wrong: "\
action hear(Int), say(Int), told;

process Speaker {
    init state s;

    s -> s : say(3);
}

process Listener {
    var last: Int = 0;
    init state s;

    s -> s : hear(?v) when v > last do last := v;
}

connector Tell(s: port(x: Int), r: port(y: Int)) {
    s r;
    «s r down r.y := s.x»;
}

net Room {
    sub S = Speaker;
    sub L = Listener;

    connect told : Tell(S.say, L.hear);
}
",
    right: "\
action hear(Int), say(Int), told;

process Speaker {
    init state s;

    s -> s : say(3);
}

process Listener {
    var last: Int = 0;
    init state s;

    s -> s : hear(?v) when v > last do last := v;
}

connector Tell(s: port(x: Int), r: port(y: Int)) {
    s r down r.y := s.x;
}

net Room {
    sub S = Speaker;
    sub L = Listener;

    connect told : Tell(S.say, L.hear);
}
",
};

impl JoinsOnce {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        match self.first {
            Some(first) => Diagnostic::new(entry, self.span, format!("`{name}` joins its ports twice"))
                .label("the second time")
                .also(first, "the first time")
                .note("write `on` before the ports of a single interaction"),
            None => Diagnostic::new(entry, self.span, format!("`{name}` joins nothing"))
                .label("no statement joins its ports")
                .note("say how its ports are joined: `p q;`, or `p' q;` with a trigger"),
        }
    }
}
