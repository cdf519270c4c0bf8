//! `W0410`: architecture without unfoldings.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An architecture in none of whose trees of rules every name gets one component.
#[derive(Clone, Debug)]
pub struct NoUnfoldings {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0410",
    title: "architecture without unfoldings",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
An unfolding is a finite tree of rules in which every name gets one component. In
each tree that the rules of this architecture make, some name gets none, or two:
there are alternatives that are fine by themselves, and never go together.
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

architecture «Odd» {
    rule Odd() {
        new x, y;
        <x: send, y: recv> -> pass;
        Some(x, y);
        Some(x, y);
        Some(x, y);
    }
    rule Some(a, b) {
        sub a = Holder;
    }
    rule Some(a, b) {
        sub b = Station;
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

architecture Odd {
    rule Odd() {
        new x, y;
        <x: send, y: recv> -> pass;
        First(x);
        Second(y);
    }
    rule First(a) {
        sub a = Holder;
    }
    rule Second(b) {
        sub b = Station;
    }
}
",
};

impl NoUnfoldings {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("`{name}` has no unfolding"))
            .label("in every tree of rules some name gets no component, or two")
            .note("see which parameters each alternative gives a component")
    }
}
