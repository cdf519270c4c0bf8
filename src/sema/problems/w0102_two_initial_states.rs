//! `W0102`: two initial states.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A second initial state.
#[derive(Clone, Debug)]
pub struct TwoInitialStates {
    /// The second initial state.
    pub span: Span,
    /// The process.
    pub process: String,
    /// The first initial state.
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0102",
    title: "two initial states",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A process starts in exactly one state. If it is to start in one of several, let it
begin in a state of its own and choose from there, with `tau` transitions if the
choice is not to be seen; if only the data differs, use one state and a variable
without an initial value, which starts with any value.

Note that `init state a, b;` marks both `a` and `b`.
",
    wrong: "\
action start, stop;

process Motor {
    init state idle;
    init state «busy»;

    idle -> busy : start;
    busy -> idle : stop;
}
",
    right: "\
action start, stop;

process Motor {
    init state idle;
    state busy;

    idle -> busy : start;
    busy -> idle : stop;
}
",
};

impl TwoInitialStates {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("the process `{}` has two initial states", self.process);
        Diagnostic::new(entry, self.span, message)
            .label("a second initial state")
            .also(self.first, "the first one")
            .note("mark only one state `init`, and declare the others with `state`")
    }
}
