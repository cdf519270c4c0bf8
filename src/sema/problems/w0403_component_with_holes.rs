//! `W0403`: component of a rule with holes.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A component of a rule that has holes.
#[derive(Clone, Debug)]
pub struct ComponentWithHoles {
    /// Where it stands.
    pub span: Span,
    /// The component.
    pub component: String,
    /// Its holes.
    pub holes: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0403",
    title: "component of a rule with holes",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
An architecture describes closed systems: each component of a rule is a process, or
a net whose holes are filled. This one has holes that nothing fills.

Fill them, as in `sub x = Wrapped(Station);`, or use a net without holes.
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

net Wrapped(P: any) {
    <P: ?a> -> a;
}

architecture Ring {
    rule Ring() {
        new x, y;
        <y: send, x: recv> -> pass;
        Chain(x, y);
    }
    rule Chain(x, y) {
        new z;
        sub x = «Wrapped»;
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

net Wrapped(P: any) {
    <P: ?a> -> a;
}

architecture Ring {
    rule Ring() {
        new x, y;
        <y: send, x: recv> -> pass;
        Chain(x, y);
    }
    rule Chain(x, y) {
        new z;
        sub x = Wrapped(Station);
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

impl ComponentWithHoles {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let component = &self.component;
        Diagnostic::new(entry, self.span, format!("`{component}` has holes that nothing fills"))
            .label("not closed")
            .note(format!("fill {}, as in `{component}(Station)`", list(&self.holes, "and")))
    }
}
