//! `N0221`: name that the rule does not have.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A name in a rule that is neither a parameter nor a new name.
#[derive(Clone, Debug)]
pub struct UnknownRuleName {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The rule.
    pub rule: String,
    /// The name that was probably meant.
    pub similar: Option<String>,
    /// The names there are.
    pub known: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0221",
    title: "name that the rule does not have",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Components of a rule are called by names: its parameters, those that it introduces
by `new`, and those that it gives a component by `sub`. Vectors, connectors, claims
and uses of rules speak of these, and of no others: what is made elsewhere has to
be passed as a parameter.
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
        <y: send, «w»: recv> -> pass;
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

impl UnknownRuleName {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, rule) = (&self.name, &self.rule);
        let known = match self.known.as_slice() {
            [] => format!("the rule `{rule}` has no names yet"),
            known => format!("the names of `{rule}` are {}", list(known, "and")),
        };
        Diagnostic::new(entry, self.span, format!("the rule `{rule}` has no name `{name}`"))
            .label("neither a parameter nor a new name")
            .note(known)
            .note(format!("write `new {name};` for a component that a rule used below gives it"))
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
