//! `N0220`: rule that does not exist.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A use of a rule that the architecture does not have.
#[derive(Clone, Debug)]
pub struct UnknownRule {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The architecture.
    pub architecture: String,
    /// The rule that was probably meant.
    pub similar: Option<String>,
    /// The rules there are.
    pub known: Vec<String>,
    /// Whether there is a process or net of this name.
    pub is_component: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0220",
    title: "rule that does not exist",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A rule is made of parts, each described by rules of the same architecture:
`Chain(x, y);` stands for whatever one of the rules named `Chain` makes. This
architecture has no rule of this name.

A process or net is no rule: its component is given to a name by `sub`.
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
        «Chian»(z, y);
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

impl UnknownRule {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, architecture) = (&self.name, &self.architecture);
        let known = format!("the rules of `{architecture}` are {}", list(&self.known, "and"));
        let found = Diagnostic::new(
            entry,
            self.span,
            format!("the architecture `{architecture}` has no rule `{name}`"),
        )
        .label("no rule of this name")
        .did_you_mean(self.span, self.similar.as_deref());
        match self.is_component && self.similar.is_none() {
            true => found.note(format!("a component is given to a name: `sub x = {name};`")),
            false => found.note(known),
        }
    }
}
