//! `T0123`: wrong number of states in a relation.

use super::{count, list};
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A state in a relation that does not name one state per process.
#[derive(Clone, Debug)]
pub struct StateCount {
    /// The state.
    pub span: Span,
    /// The system.
    pub net: String,
    /// How many processes it is made of.
    pub expected: usize,
    /// How many states are written.
    pub found: usize,
    /// Those processes, in order.
    pub leaves: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0123",
    title: "wrong number of states in a relation",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A system is in a state when each of the processes it is made of is in one. A
relation therefore names one state for every process of the system, in the order
in which they are declared, joined by dots: `s0.m1.r0` for a system of three
processes.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Two {
    sub A = Clock;
    sub B = Clock;

    <A: tick, B: tick> -> tick;
}

relation Same(Clock, Two) {
    (s, «s»);
}
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Two {
    sub A = Clock;
    sub B = Clock;

    <A: tick, B: tick> -> tick;
}

relation Same(Clock, Two) {
    (s, s.s);
}
",
};

impl StateCount {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let net = &self.net;
        let message = match self.expected {
            0 => format!("`{net}` has no process, and one state, `-`"),
            1 => format!("`{net}` has one process, so one state is wanted here"),
            wanted => format!("a state of `{net}` is made of {wanted} states, one for each process"),
        };
        let diagnostic = Diagnostic::new(entry, self.span, message)
            .label(format!("{} named here", count(self.found, "state")));
        match self.leaves.as_slice() {
            [] => diagnostic.note(format!("`{net}` has no process: write `-` for its only state")),
            [only] => diagnostic.note(format!("name a state of `{only}`")),
            leaves => diagnostic.note(format!(
                "name a state for each of {}, in this order, joined by dots",
                list(leaves, "and")
            )),
        }
    }
}
