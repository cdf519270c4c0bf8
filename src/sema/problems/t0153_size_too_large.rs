//! `T0153`: unfolding that is too large.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An unfolding with more components than are made.
#[derive(Clone, Debug)]
pub struct SizeTooLarge {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The most components.
    pub most: usize,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0153",
    title: "unfolding that is too large",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Unfoldings are made as nets, component by component. What is asked for has more
components than that is sensible for; a check of the architecture itself is about
all sizes at once.
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

check deadlock_free(«Ring<100000>»);
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

check deadlock_free(Ring);
",
};

impl SizeTooLarge {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, most) = (&self.name, self.most);
        let message = format!("unfoldings with more than {most} components are not made");
        Diagnostic::new(entry, self.span, message)
            .label("too large")
            .note(format!("`check deadlock_free({name});` asks about all sizes at once"))
    }
}
