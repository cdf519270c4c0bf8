//! `E0125`: wrong number of ports for a family.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A group of ports that has another number than the family it stands for.
#[derive(Clone, Debug)]
pub struct FamilyOfPorts {
    /// The group.
    pub span: Span,
    /// The family.
    pub name: String,
    /// How many ports it has.
    pub wanted: usize,
    /// How many are given.
    pub found: usize,
    /// Where the family is declared.
    pub declared: Span,
    /// The instances that led here.
    pub chain: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0125",
    title: "wrong number of ports for a family",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A family of ports, `r[i: 0..n]: port`, takes a port for each of its indices, in order.
How many these are depends on the values that the connector is given, so this is known
when the net is built.

Change the value, or the range of the group in brackets.
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

    connect told : Tell<3>(S.say, «[L[i].hear for i in 0..2]»);
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

impl FamilyOfPorts {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, wanted, found) = (&self.name, self.wanted, self.found);
        let diagnostic = Diagnostic::new(entry, self.span, format!("the family `{name}` has {wanted} ports, and is given {found}"))
            .label(format!("{found} here"))
            .also(self.declared, "the family is declared here")
            .note("give one port for each index, in order");
        self.chain.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.also(*span, text.clone()))
    }
}
