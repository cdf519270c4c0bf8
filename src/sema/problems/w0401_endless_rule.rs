//! `W0401`: rule that never ends.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A rule whose alternatives all use it again.
#[derive(Clone, Debug)]
pub struct EndlessRule {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0401",
    title: "rule that never ends",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
An unfolding is a finite tree of rules. A part that a rule describes is made by one
of the rules of that name; if each of them needs another such part, there is no end
to it, and no unfolding.

Add an alternative that ends: a rule of the same name that uses no other.
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
    rule «Chain»(x, y) {
        new z;
        sub x = Station;
        <x: send, z: recv> -> pass;
        Chain(z, y);
    }
    rule Chain(x, y) {
        sub x = Station;
        sub y = Holder;
        <x: send, y: recv> -> pass;
        Chain(x, y);
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

impl EndlessRule {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("the rule `{name}` never ends"))
            .label("every alternative uses it again")
            .note(format!("add a rule `{name}` that uses no other"))
    }
}
