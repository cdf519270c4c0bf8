//! `W0402`: name that never gets a component.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A new name of a rule that nothing gives a component.
#[derive(Clone, Debug)]
pub struct NameWithoutComponent {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The rule.
    pub rule: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0402",
    title: "name that never gets a component",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A new name stands for one component. It gets it by `sub` in this rule, or by a rule
that the name is passed to: which of its parameters a rule gives components is
found out by looking at it. Nothing gives this name one, whatever rules are chosen.
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
        new x, y;
        <y: send, x: recv> -> pass;
        Chain(x, y);
    }
    rule Chain(x, y) {
        new z, «w»;
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

impl NameWithoutComponent {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, rule) = (&self.name, &self.rule);
        let message = format!("`{name}` never gets a component in the rule `{rule}`");
        Diagnostic::new(entry, self.span, message)
            .label("no `sub`, and no part that gives it one")
            .note(format!("give it one, as in `sub {name} = Station;`, or pass it to a rule that does"))
    }
}
