//! `T0150`: rule with another number of names.

use super::count;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A rule that is used, or declared once more, with another number of names.
#[derive(Clone, Debug)]
pub struct RuleArity {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// How many names its rules have.
    pub expected: usize,
    /// How many there are here.
    pub found: usize,
    /// Where it is declared first.
    pub declared: Span,
    /// Whether it is used here.
    pub is_use: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0150",
    title: "rule with another number of names",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Rules of one name are alternatives, and have the same number of parameters. Where
one is used, it gets a name for each of them: a name of the rule that uses it, which
the other rule knows by its own parameter.
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
        «Chain(z)»;
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

impl RuleArity {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, found) = (&self.name, self.found);
        let takes = count(self.expected, "name");
        let (message, label) = match self.is_use {
            true => (format!("`{name}` takes {takes}, not {found}"), "used with another number"),
            false => (
                format!("the rules `{name}` have {takes}, and this one {found}"),
                "an alternative with another number",
            ),
        };
        Diagnostic::new(entry, self.span, message)
            .label(label)
            .also(self.declared, "first declared here")
    }
}
