//! `N0222`: claim that the architecture does not have.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A check of a claim that no rule has.
#[derive(Clone, Debug)]
pub struct UnknownClaim {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The architecture.
    pub architecture: String,
    /// The claim that was probably meant.
    pub similar: Option<String>,
    /// The claims there are.
    pub known: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0222",
    title: "claim that the architecture does not have",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`never(A, neighbours)` asks whether the claims of that name hold, which rules make
by `never neighbours: …;`. Without a name it is about all claims of all rules. No
rule of this architecture makes a claim of this name.
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
        never neighbours: x in busy and z in busy;
        Chain(z, y);
    }
    rule Chain(x, y) {
        sub x = Station;
        sub y = Holder;
        <x: send, y: recv> -> pass;
    }
}

check never(Ring, «neighbors»);
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
        never neighbours: x in busy and z in busy;
        Chain(z, y);
    }
    rule Chain(x, y) {
        sub x = Station;
        sub y = Holder;
        <x: send, y: recv> -> pass;
    }
}

check never(Ring, neighbours);
",
};

impl UnknownClaim {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, architecture) = (&self.name, &self.architecture);
        let known = match self.known.as_slice() {
            [] => format!("no rule of `{architecture}` makes a claim with a name"),
            known => format!("the claims of `{architecture}` are {}", list(known, "and")),
        };
        Diagnostic::new(entry, self.span, format!("no rule of `{architecture}` claims `{name}`"))
            .label("no claim of this name")
            .note(known)
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
