//! `W0408`: vector of one component with itself.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A vector two of whose members are always one component.
#[derive(Clone, Debug)]
pub struct OneTwice {
    /// Where it stands.
    pub span: Span,
    /// The rule.
    pub rule: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0408",
    title: "vector of one component with itself",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A component does one action at a time. Where two names of a rule stand for the same
component, since one name was passed twice, a vector between them never happens.
In all unfoldings that is so here.
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

architecture Table {
    rule Table() {
        new y;
        sub x = Holder;
        Pair(x, x, y);
    }
    rule Pair(a, b, y) {
        sub y = Station;
        <a: send, y: recv> -> pass;
        «<a: recv, b: send> -> pass»;
        <y: send, a: recv> -> pass;
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

architecture Table {
    rule Table() {
        new y;
        sub x = Holder;
        Pair(x, y);
    }
    rule Pair(a, y) {
        sub y = Station;
        <a: send, y: recv> -> pass;
        <y: send, a: recv> -> pass;
    }
}
",
};

impl OneTwice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = "this never happens: two of its members are always one component".to_owned();
        Diagnostic::new(entry, self.span, message)
            .label("a component does one action at a time")
            .note(format!("look at the names that are passed to `{}`", self.rule))
    }
}
