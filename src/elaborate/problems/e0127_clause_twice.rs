//! `E0127`: interaction with two clauses.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Two clauses for one interaction.
#[derive(Clone, Debug)]
pub struct ClauseTwice {
    /// The second.
    pub span: Span,
    /// The ports, in words.
    pub ports: String,
    /// The first.
    pub first: Span,
    /// The instances that led here.
    pub chain: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0127",
    title: "interaction with two clauses",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`on p q …;` has all that is said about the interaction of just these ports: its guard,
what goes up, and what comes down. In which order the ports are named does not matter.

Put both clauses into one. For clauses of a family of ports, look at which indices both
of them mean.
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
    on s r when s.x > 0;
    on «r s» down r.y := s.x;
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
    s r;
    on s r when s.x > 0 down r.y := s.x;
}

net Room {
    sub S = Speaker;
    sub L = Listener;

    connect told : Tell(S.say, L.hear);
}
",
};

impl ClauseTwice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let ports = &self.ports;
        let diagnostic = Diagnostic::new(entry, self.span, format!("the interaction `{ports}` has a clause already"))
            .label("the second")
            .also(self.first, "the first")
            .note("put both into one: `on p q when … up … down …;`");
        self.chain.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.also(*span, text.clone()))
    }
}
