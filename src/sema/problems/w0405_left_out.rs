//! `W0405`: unfoldings that are left out.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A name that gets one component with some alternatives, and none or two with others.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The rule.
    pub rule: String,
    /// Where it can get one.
    pub places: Vec<Span>,
    /// Whether it gets none with some.
    pub none: bool,
    /// Whether it gets two with some.
    pub two: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0405",
    title: "unfoldings that are left out",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A name stands for one component. With some alternatives of the rules that it is
passed to it gets one, with others none, or two: trees of rules in which that
happens are no unfoldings, and are left out. That may be meant; else give all
alternatives the same parameters to make components for.
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
    rule Chain(x, y) {
        sub x = Station;
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

impl LeftOut {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, rule) = (&self.name, &self.rule);
        let how = match (self.none, self.two) {
            (true, true) => "no component, or two,",
            (true, false) => "no component",
            _ => "two components",
        };
        let message = format!("`{name}` of the rule `{rule}` gets {how} with some alternatives");
        let found = Diagnostic::new(entry, self.span, message)
            .label("unfoldings in which that happens are left out")
            .note("let all alternatives of a rule give components to the same parameters");
        let places = self.places.iter().filter(|place| **place != self.span);
        places.fold(found, |found, &place| found.also(place, "it can get one here"))
    }
}
