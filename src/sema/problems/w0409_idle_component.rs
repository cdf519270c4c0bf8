//! `W0409`: component that takes part in nothing.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A component of a rule that no vector or connector speaks of.
#[derive(Clone, Debug)]
pub struct IdleComponent {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The component.
    pub component: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0409",
    title: "component that takes part in nothing",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A component does what vectors and connectors let it do. No rule that knows this
component, by whatever name it was passed, has one that speaks of it: it stays in
its initial state for ever.
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
        sub «w» = Station;
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

impl IdleComponent {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, component) = (&self.name, &self.component);
        let message = format!("`{name}`, a `{component}`, takes part in no vector of any rule");
        Diagnostic::new(entry, self.span, message)
            .label("stays as it is for ever")
            .note("remove it, or write a vector in a rule that knows it")
    }
}
