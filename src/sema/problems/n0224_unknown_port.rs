//! `N0224`: port that the connector does not have.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A port in the definition of a connector that its head does not have.
#[derive(Clone, Debug)]
pub struct UnknownPort {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The connector.
    pub connector: String,
    /// The port that was probably meant.
    pub similar: Option<String>,
    /// The ports there are.
    pub known: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0224",
    title: "port that the connector does not have",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The head of a definition names its ports, and its statements say how these are
joined: `connector Tell(s: port, r: port) { s r; }`. This name is none of them.

Add the port to the head, `q: port` or `q: port(x: Int)` with data, or use one of
those that are there. The port that a connector shows is not one that it joins.
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
    s «q» down r.y := s.x;
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

impl UnknownPort {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, connector) = (&self.name, &self.connector);
        let known = match self.known.as_slice() {
            _ if name == "define" => {
                "leave `define` out: what is joined stands alone, as in `p' q;`".to_owned()
            }
            [] => format!("`{connector}` has no ports"),
            known => format!("the ports of `{connector}` are {}", list(known, "and")),
        };
        Diagnostic::new(entry, self.span, format!("`{connector}` has no port `{name}`"))
            .label("no port of this name")
            .note(known)
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
