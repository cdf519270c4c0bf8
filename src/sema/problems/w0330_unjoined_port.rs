//! `W0330`: port that is not joined.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A port of a definition that takes no part.
#[derive(Clone, Debug)]
pub struct UnjoinedPort {
    /// The port.
    pub span: Span,
    /// Its name.
    pub name: String,
    /// The connector.
    pub connector: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0330",
    title: "port that is not joined",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
The head of the definition has this port, and no interaction does: whatever stands at it
takes no part in this connector, and data that goes to it is left out.

Join it, remove it, or give it a name that starts with `_` where it has to be there.
",
    wrong: "\
action hear(Int), say(Int), stay, told;

process Speaker {
    init state s;

    s -> s : say(3);
}

process Listener {
    var last: Int = 0;
    init state s;

    s -> s : hear(?v) when v > last do last := v;
}

process Mute {
    init state s;

    s -> s : stay;
}

connector Tell(s: port(x: Int), r: port(y: Int), «q»: port) {
    s r down r.y := s.x;
}

net Room {
    sub S = Speaker;
    sub L = Listener;
    sub M = Mute;

    connect told : Tell(S.say, L.hear, M.stay);
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

impl UnjoinedPort {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, connector) = (&self.name, &self.connector);
        Diagnostic::new(entry, self.span, format!("`{connector}` does not join its port `{name}`"))
            .label("takes part in no interaction")
            .note("join it, remove it, or let its name start with `_`")
    }
}
