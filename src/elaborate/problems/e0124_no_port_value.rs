//! `E0124`: data of a port without a value.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Data of a port that has no value in an interaction.
#[derive(Clone, Debug)]
pub struct NoPortValue {
    /// Where it is read.
    pub span: Span,
    /// The data.
    pub name: String,
    /// The interaction, in words.
    pub interaction: String,
    /// The use of the definition.
    pub used: Span,
    /// The instances that led here.
    pub chain: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0124",
    title: "data of a port without a value",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A connector with triggers has several interactions, and in some of them a port may be
missing. What that port shows has no value then. Nor has a variable that the interaction
writes, nor one of a shown port that no `up` has set.

Data that goes to a port that is not there is no mistake: it is left out. Give the
interactions that need the data clauses of their own: `on s r when r.y > 0;`.
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
    s' r when «r.y» > 0;
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
    on s r when s.x > 0 down r.y := s.x;
}

net Room {
    sub S = Speaker;
    sub L = Listener;

    connect told : Tell(S.say, L.hear);
}
",
};

impl NoPortValue {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, interaction) = (&self.name, &self.interaction);
        let diagnostic = Diagnostic::new(entry, self.span, format!("`{name}` has no value in the interaction `{interaction}`"))
            .label("read here")
            .also(self.used, "the connector is used here")
            .note("put what needs it into a clause of its own: `on p q …;` with the ports it needs");
        self.chain.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.also(*span, text.clone()))
    }
}
