//! `T0170`: group at a single port, or a single port at a family.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A group at a single port, or a single port at a family.
#[derive(Clone, Debug)]
pub struct PortGroup {
    /// What stands there.
    pub span: Span,
    /// The port.
    pub name: String,
    /// Whether it is a family.
    pub family: bool,
    /// Where it is declared.
    pub declared: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0170",
    title: "group at a single port, or a single port at a family",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A family of ports, `r[i: 0..n]: port`, takes a group in brackets, in the order of its
indices: `[L[i].hear for i in 0..2]`, or `[A.hear B.hear]`. A single port takes one port.

Brackets around one port make a family of one. To let any number of ports stand at one
port of a definition, make that a family, with a parameter for its size.
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

connector Tell<n: Int>(s: port(x: Int), r[i: 0..n]: port(y: Int)) {
    s' [r[i]' for i in 0..n] down [r[i].y := s.x for i in 0..n];
}

net Room {
    sub S = Speaker;
    sub L[i: 0..2] = Listener;

    connect told : Tell<2>(S.say, «L[0].hear»);
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

connector Tell<n: Int>(s: port(x: Int), r[i: 0..n]: port(y: Int)) {
    s' [r[i]' for i in 0..n] down [r[i].y := s.x for i in 0..n];
}

net Room {
    sub S = Speaker;
    sub L[i: 0..2] = Listener;

    connect told : Tell<2>(S.say, [L[i].hear for i in 0..2]);
}
",
};

impl PortGroup {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let (message, label, note) = match self.family {
            true => (
                format!("`{name}` is a family of ports"),
                "a single port",
                "put its ports in brackets: `[L[i].hear for i in 0..n]`, or `[A.hear B.hear]`",
            ),
            false => (
                format!("`{name}` is a single port"),
                "a group of ports",
                "name one port here; a family is declared `r[i: 0..n]: port`",
            ),
        };
        Diagnostic::new(entry, self.span, message)
            .label(label)
            .also(self.declared, "the port is declared here")
            .note(note)
    }
}
