//! `W0331`: transfer to a port that takes no part.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A clause for one interaction that writes a port which is not in it.
#[derive(Clone, Debug)]
pub struct AbsentTarget {
    /// What is written.
    pub span: Span,
    /// The port.
    pub port: String,
    /// The ports of the interaction.
    pub on: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0331",
    title: "transfer to a port that takes no part",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A clause `on p q …` is about the interaction of just these ports. What it writes to any
other port is left out, since nobody is there to take it. (In the clauses for all
interactions that is meant: who is not there gets nothing.)

Name the port among those of the clause, or remove the transfer.
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
    s' r;
    on s down «r.y» := s.x;
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
    s' r;
    on s r down r.y := s.x;
}

net Room {
    sub S = Speaker;
    sub L = Listener;

    connect told : Tell(S.say, L.hear);
}
",
};

impl AbsentTarget {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let port = &self.port;
        let message = format!("`{port}` takes no part in this interaction, and gets nothing");
        Diagnostic::new(entry, self.span, message)
            .label("nobody is there to take it")
            .also(self.on, "just these ports take part")
            .note(format!("add `{port}` to the ports behind `on`, or remove the transfer"))
    }
}
