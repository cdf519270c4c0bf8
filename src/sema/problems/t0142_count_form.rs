//! `T0142`: something else counted than members in states.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A `mutex` or an `at_most` that counts something else than members in states.
#[derive(Clone, Debug)]
pub struct CountForm {
    /// What is counted, or how many there may be.
    pub span: Span,
    /// What is wrong with it.
    pub mistake: CountMistake,
}

/// What is wrong with a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountMistake {
    /// What is counted has another form.
    Form,
    /// No number of members is negative.
    Negative,
    /// What is counted stands where the number should.
    Order,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0142",
    title: "something else counted than members in states",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`mutex` and `at_most` count members of families that are in some states: `C in busy`,
`C in { busy, done }`, and several of them with `or`. A component that is in no family
counts as one member. How many there may be is a number from 0 on.

What else can be said of members is said with quantifiers, after `always`:
`forall x in C . x not in busy or x.n > 0`.
",
    wrong: "\
action take, give;

process Client {
    init state idle;
    state busy;

    idle -> busy : take;
    busy -> idle : give;
}

net Pool {
    sub C[i: 0..3] = Client;

    <C[i]: take> -> take for i in 0..3;
    <C[i]: give> -> give for i in 0..3;
}

check mutex(Pool, «C not in idle»);
",
    right: "\
action take, give;

process Client {
    init state idle;
    state busy;

    idle -> busy : take;
    busy -> idle : give;
}

net Pool {
    sub C[i: 0..3] = Client;

    <C[i]: take> -> take for i in 0..3;
    <C[i]: give> -> give for i in 0..3;
}

check not mutex(Pool, C in busy);
",
};

impl CountForm {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        match self.mistake {
            CountMistake::Form => {
                Diagnostic::new(entry, self.span, "only members in states are counted")
                    .label("expected `P in s`, or several joined by `or`")
                    .note("for anything else write `always` with `forall x in P . …`")
            }
            CountMistake::Order => {
                Diagnostic::new(entry, self.span, "how many there may be stands before what is counted")
                    .label("expected a number")
                    .note("write `at_most(S, 2, P in s)`")
            }
            CountMistake::Negative => {
                Diagnostic::new(entry, self.span, "no number of members is negative")
                    .label("there are never so few")
                    .note("write how many members may be in these states at once")
            }
        }
    }
}
