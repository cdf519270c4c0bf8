//! `T0154`: claim that rules cannot make.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A text in a claim of a rule that is no test of a state.
#[derive(Clone, Debug)]
pub struct ClaimForm {
    /// Where it stands.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0154",
    title: "claim that rules cannot make",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A claim `never …;` of a rule is about the states of the components of its names:
tests as `x in busy` or `x in { busy, idle }`, put together by `and`, `or` and
`not`. Where the component of a name is a net, `x.P in busy` asks for one of its
leaves. Nothing else can stand there.
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
        never neighbours: «x == z»;
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
        never neighbours: x in busy and z in busy;
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

impl ClaimForm {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "this is no claim about the states of names".to_owned())
            .label("not a test such as `x in busy`")
            .note("claims are made of tests `x in s`, with `and`, `or` and `not` between them")
    }
}
