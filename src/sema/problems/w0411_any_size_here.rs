//! `W0411`: architecture in the place of a net.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An architecture where one net is wanted.
#[derive(Clone, Debug)]
pub struct AnySizeHere {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0411",
    title: "architecture in the place of a net",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
An architecture stands for systems of all sizes. Claims that hold for all of them can
be made by `deadlock_free`, `never`, `always`, `reaches`, `mutex` and `at_most`.
Everywhere else one net is wanted: an unfolding, such as `Ring<5>`.
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

check nonblocking(«Ring»);
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

check nonblocking(Ring<3>);
",
};

impl AnySizeHere {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("`{name}` is an architecture, and no net"))
            .label("has any number of components")
            .note(format!("name an unfolding by its number of components, as in `{name}<5>`"))
    }
}
