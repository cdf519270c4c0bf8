//! `N0223`: unknown connector.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A use of a connector that nobody defined.
#[derive(Clone, Debug)]
pub struct UnknownConnector {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The one that was probably meant.
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0223",
    title: "unknown connector",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`connect told : Tell(S.say, L.hear);` uses the definition `connector Tell(…) { … }`.
No connector of this name is defined in this file or imported.

A connector that is used once only needs no definition: `connect told : S.say L.hear;`
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

    connect told : «Tel»(S.say, L.hear);
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

impl UnknownConnector {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("no connector is called `{name}`"))
            .label("not defined")
            .note("define it by `connector Name(p: port, q: port) { p q; }`, or write the ports out")
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
