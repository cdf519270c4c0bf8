//! `N0225`: data that a port does not have.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Data that a port of a definition does not have.
#[derive(Clone, Debug)]
pub struct UnknownPortData {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The port.
    pub port: String,
    /// What was probably meant.
    pub similar: Option<String>,
    /// The data there is.
    pub known: Vec<String>,
    /// Where the port is declared.
    pub declared: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0225",
    title: "data that a port does not have",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The head of a definition names the data of each port: `s: port(x: Int)` has `s.x`.
An action at this port has an argument for each of its variables, in order, whatever
these are called in the process.

Use one of the names in the head, or declare more data there.
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
    s r down r.y := s.«z»;
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

impl UnknownPortData {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, port) = (&self.name, &self.port);
        let known = match self.known.as_slice() {
            [] => format!("`{port}` has no data: declare some by `{port}: port({name}: Int)`"),
            known => format!("the data of `{port}` is {}", list(known, "and")),
        };
        Diagnostic::new(entry, self.span, format!("the port `{port}` has no `{name}`"))
            .label("no data of this name")
            .also(self.declared, "the port is declared here")
            .note(known)
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
