//! `T0172`: data at a port of a use.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Data at a port in a use of a definition.
#[derive(Clone, Debug)]
pub struct PortArguments {
    /// The data.
    pub span: Span,
    /// The port of the definition.
    pub name: String,
    /// The definition.
    pub connector: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0172",
    title: "data at a port of a use",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
In a use of a definition the data of the ports has the names that the definition gives
it, and what is shown can use these: `connect told(s.x) : Tell(S.say, L.hear);`. Guards
and transfers stand in the definition, too.

Write the port alone. A connector that is used once only can be written out instead:
`connect told(x) : S.say(x) L.hear(y) do y := x;`.
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
    s r down r.y := s.x;
}

net Room {
    sub S = Speaker;
    sub L = Listener;

    connect told : Tell(S.say(«x»), L.hear);
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

impl PortArguments {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, connector) = (&self.name, &self.connector);
        Diagnostic::new(entry, self.span, format!("the data of this port is named by `{connector}`"))
            .label("no data here")
            .note(format!("write the port alone; its data is that of `{name}` in the definition"))
    }
}
