//! `T0174`: use of a definition in a rule.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A use of a definition of a connector in a rule of an architecture.
#[derive(Clone, Debug)]
pub struct UseInRule {
    /// The use.
    pub span: Span,
    /// The definition.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0174",
    title: "use of a definition in a rule",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The connectors of a rule are part of what is decided for any number of components, and
are written out there: `connect pass : x.send y.recv;`. Definitions of connectors are used
in nets.
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

connector Both(p: port, q: port) {
    p q;
}

architecture Ring {
    rule Ring() {
        new x, y;
        connect pass : y.send x.recv;
        Chain(x, y);
    }
    rule Chain(x, y) {
        new z;
        sub x = Station;
        connect pass : x.send z.recv;
        Chain(z, y);
    }
    rule Chain(x, y) {
        sub x = Station;
        sub y = Holder;
        connect pass : «Both(x.send, y.recv)»;
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

connector Both(p: port, q: port) {
    p q;
}

architecture Ring {
    rule Ring() {
        new x, y;
        connect pass : y.send x.recv;
        Chain(x, y);
    }
    rule Chain(x, y) {
        new z;
        sub x = Station;
        connect pass : x.send z.recv;
        Chain(z, y);
    }
    rule Chain(x, y) {
        sub x = Station;
        sub y = Holder;
        connect pass : x.send y.recv;
    }
}
",
};

impl UseInRule {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("a rule cannot use the connector `{}`", self.name))
            .label("used in a rule of an architecture")
            .note("write its ports out: `connect pass : x.send y.recv;`")
    }
}
