//! `W0407`: architecture without a rule to begin with.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An architecture whose first rule is missing, or has parameters.
#[derive(Clone, Debug)]
pub struct StartRule {
    /// Where it stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The first rule there is.
    pub first: Option<(Span, String)>,
    /// Whether the rule is there, and has parameters.
    pub has_parameters: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0407",
    title: "architecture without a rule to begin with",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Unfoldings begin with the rule that has the name of the architecture. It has no
parameters, since there is nothing yet that could be passed to it.

Names that it needs are new ones: `rule Ring() { new x, y; Chain(x, y); }`.
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

architecture «Rings» {
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

impl StartRule {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        if self.has_parameters {
            let message = format!("the first rule `{name}` has parameters");
            return Diagnostic::new(entry, self.span, message)
                .label("nobody could pass anything")
                .note(format!("write `rule {name}() {{ new x; … }}`, with new names"));
        }
        let message = format!("the architecture `{name}` has no rule `{name}`");
        let found = Diagnostic::new(entry, self.span, message)
            .label("nothing to begin with")
            .note(format!("unfoldings begin with `rule {name}() {{ … }}`"));
        match &self.first {
            Some((span, first)) => found.also(*span, format!("the first rule is `{first}`")),
            None => found,
        }
    }
}
