//! `T0167`: wrong number of ports.

use super::{count, list};
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A use of a connector with another number of ports than it has.
#[derive(Clone, Debug)]
pub struct PortCount {
    /// The use.
    pub span: Span,
    /// The connector.
    pub name: String,
    /// How many ports are given.
    pub found: usize,
    /// The ports it has.
    pub names: Vec<String>,
    /// Where it is defined.
    pub declared: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0167",
    title: "wrong number of ports",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A use names what stands at each port of the definition, in order. A family of ports,
`r[i: 0..n]: port`, is one of them, and takes a group in brackets:
`Tell<2>(S.say, [L[i].hear for i in 0..2])`.
",
    wrong: "\
action say(Int), told;

process Speaker {
    init state s;

    s -> s : say(3);
}

connector Tell(s: port(x: Int), r: port(y: Int)) {
    s r down r.y := s.x;
}

net Room {
    sub S = Speaker;

    connect told : «Tell(S.say)»;
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

impl PortCount {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let (has, given) = (count(self.names.len(), "port"), count(self.found, "port"));
        let names = match self.names.as_slice() {
            [] => "it joins nothing".to_owned(),
            names => format!("give one for each of {}", list(names, "and")),
        };
        Diagnostic::new(entry, self.span, format!("`{name}` has {has}, and is given {given}"))
            .label(format!("{given} here"))
            .also(self.declared, "defined here")
            .note(names)
    }
}
