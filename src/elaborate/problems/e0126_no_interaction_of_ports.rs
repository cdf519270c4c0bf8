//! `E0126`: clause for what is no interaction.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A clause for ports that are no interaction of the connector.
#[derive(Clone, Debug)]
pub struct NoInteractionOfPorts {
    /// The ports.
    pub span: Span,
    /// The ports, in words.
    pub ports: String,
    /// Where the ports are joined.
    pub joins: Span,
    /// The instances that led here.
    pub chain: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0126",
    title: "clause for what is no interaction",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`on s r` says something about the interaction of just these ports. How ports are joined
says which interactions there are: without a trigger all ports together, with triggers
every set that contains one.
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
    on «s» when s.x > 0;
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
    on s when s.x > 0;
}

net Room {
    sub S = Speaker;
    sub L = Listener;

    connect told : Tell(S.say, L.hear);
}
",
};

impl NoInteractionOfPorts {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let ports = &self.ports;
        let diagnostic = Diagnostic::new(entry, self.span, format!("`{ports}` is no interaction of this connector"))
            .label("these ports do not happen together, and alone")
            .also(self.joins, "the ports are joined here")
            .note("a port that can start an interaction alone is marked `'`");
        self.chain.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.also(*span, text.clone()))
    }
}
