//! `E0128`: data of a port that is written twice.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Data of a port that one interaction writes twice.
#[derive(Clone, Debug)]
pub struct WrittenTwice {
    /// The second.
    pub span: Span,
    /// The data.
    pub name: String,
    /// The first.
    pub first: Span,
    /// The instances that led here.
    pub chain: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0128",
    title: "data of a port that is written twice",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
What an interaction moves, it moves at once. Two values for one variable of a port are one
too many: nobody could say which of them the part gets.

Leave one of the transfers out, or the index that both of them mean.
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
    s' [r[i]' for i in 0..n] down [r[i].y := s.x for i in 0..n], «r[0].y» := 0;
}

net Room {
    sub S = Speaker;
    sub L[i: 0..2] = Listener;

    connect told : Tell<2>(S.say, [L[i].hear for i in 0..2]);
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

impl WrittenTwice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let diagnostic = Diagnostic::new(entry, self.span, format!("`{name}` is written twice in one interaction"))
            .label("the second time")
            .also(self.first, "the first time")
            .note("write it once: leave indices out with `when`, as in `[r[i].y := s.x for i in 0..n when i > 0]`");
        self.chain.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.also(*span, text.clone()))
    }
}
