//! `W0404`: name that always gets two components.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A name that gets more than one component, whatever rules are chosen.
#[derive(Clone, Debug)]
pub struct AlwaysTwice {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The rule.
    pub rule: String,
    /// Where it gets them.
    pub places: Vec<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0404",
    title: "name that always gets two components",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A name stands for one component. This one gets more than one: by several `sub`, by
several parts that give it one, or by both. Which of its parameters a rule gives
components is found out by looking at its alternatives.
",
    wrong: "\
action pass, recv, send;

process Station {
    init state idle;
    state busy;

    idle -> busy : recv;
    busy -> idle : send;
}

process Holder {
    init state busy;
    state idle;

    busy -> idle : send;
    idle -> busy : recv;
}

architecture Ring {
    rule Ring() {
        new x, «y»;
        sub y = Holder;
        <y: send, x: recv> -> pass;
        Chain(x, y);
    }
    rule Chain(x, y) {
        new z;
        sub x = Station;
        <x: send, z: recv> -> pass;
        Chain(z, y);
    }
    rule Chain(x, y) {
        sub x = Station;
        sub y = Holder;
        <x: send, y: recv> -> pass;
    }
}
",
    right: "\
action pass, recv, send;

process Station {
    init state idle;
    state busy;

    idle -> busy : recv;
    busy -> idle : send;
}

process Holder {
    init state busy;
    state idle;

    busy -> idle : send;
    idle -> busy : recv;
}

architecture Ring {
    rule Ring() {
        new x, y;
        <y: send, x: recv> -> pass;
        Chain(x, y);
    }
    rule Chain(x, y) {
        new z;
        sub x = Station;
        <x: send, z: recv> -> pass;
        Chain(z, y);
    }
    rule Chain(x, y) {
        sub x = Station;
        sub y = Holder;
        <x: send, y: recv> -> pass;
    }
}
",
};

impl AlwaysTwice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, rule) = (&self.name, &self.rule);
        let message = format!("`{name}` always gets two components in the rule `{rule}`");
        let found = Diagnostic::new(entry, self.span, message).label("one name, one component");
        let places = self.places.iter().filter(|place| **place != self.span);
        places.fold(found, |found, &place| found.also(place, "it gets one here"))
    }
}
