//! `W0315`: connector without an interaction.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A connector in which a part would have to do two things at once.
#[derive(Clone, Debug)]
pub struct NoInteraction {
    /// The second port of the part.
    pub span: Span,
    /// The connector.
    pub name: String,
    /// The part.
    pub part: String,
    /// The first port of the part.
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0315",
    title: "connector without an interaction",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A part does one action at a time. In every interaction of this connector a part would
have to do two at once, so it has none at all: what it was written for never happens.

Write a connector for each of the two ports, or make them triggers of which one is
enough.
",
    wrong: "\
action on, off, press, switch;

process Lamp {
    init state s;

    s -> s : on;
    s -> s : off;
}

process Hand {
    init state s;

    s -> s : press;
}

net Room {
    sub L = Lamp;
    sub H = Hand;

    connect switch : L.on «L.off» H.press;
}
",
    right: "\
action on, off, press, switch;

process Lamp {
    init state s;

    s -> s : on;
    s -> s : off;
}

process Hand {
    init state s;

    s -> s : press;
}

net Room {
    sub L = Lamp;
    sub H = Hand;

    connect switch : L.on H.press;
    connect switch : L.off H.press;
}
",
};

impl NoInteraction {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, part) = (&self.name, &self.part);
        Diagnostic::new(entry, self.span, format!("the connector `{name}` has no interaction"))
            .label(format!("`{part}` would have to do this"))
            .also(self.first, "and this at once")
            .note("write a connector for each of the two")
    }
}
