//! `W0406`: rule that no unfolding uses.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A rule that is part of no unfolding.
#[derive(Clone, Debug)]
pub struct UnusedRule {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0406",
    title: "rule that no unfolding uses",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
No unfolding uses this rule: nothing leads to it from the first rule, or wherever
it is used some name would get no component, or two.

A rule is used where another one names it, as in `Chain(x, y);`, if that one is used.
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
    «rule» Rest(x) {
        sub x = Station;
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

impl UnusedRule {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("no unfolding uses this rule `{name}`"))
            .label("never used")
            .note("remove it, or use it where its parameters fit")
    }
}
