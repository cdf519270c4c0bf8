//! `T0155`: claim that cannot be made of all unfoldings.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A text in a property of an architecture that says nothing of members of processes.
#[derive(Clone, Debug)]
pub struct MemberForm {
    /// Where it stands.
    pub span: Span,
    /// Whether it is only too large to be written out for an unfolding.
    pub too_large: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0155",
    title: "claim that cannot be made of all unfoldings",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A property of an architecture is about the members of processes, since nothing else has
a name in all unfoldings: `forall x in P . …` and `exists x in P . …` with a process
`P`, tests `x in s` and `x in { s, t }`, `x == y` and `x != y`, variables `x.v` of members,
put together by `and`, `or`, `not` and `=>`. `mutex(A, P in s or Q in t)` and
`at_most(A, 2, P in s)` count them.

A member is no value: it can be compared with another one, and its variables have values.

What is to be said of names of one rule is claimed there, by `never`.
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
}

check always(Ring, forall x in Station . «x > 0»);
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

check always(Ring, forall x in Station . x in { busy, idle });
",
};

impl MemberForm {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (message, label) = match self.too_large {
            true => ("this is too large to be written out for so many members", "too many tests"),
            false => ("this cannot be claimed of all unfoldings", "no claim about members of processes"),
        };
        Diagnostic::new(entry, self.span, message)
            .label(label)
            .note("claims are about members of processes, their states and their variables: `forall x in Station . x in busy => x.count > 0`")
    }
}
