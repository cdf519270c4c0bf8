//! `W0301`: state that is never reached.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A state to which no transitions lead from the initial state.
#[derive(Clone, Debug)]
pub struct UnreachableState {
    /// The state.
    pub span: Span,
    /// The state.
    pub name: String,
    /// The process.
    pub process: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0301",
    title: "state that is never reached",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
No sequence of transitions leads from the initial state to this one, whatever the
guards say. The process can never be in it, and its transitions never happen.

Either a transition is missing, or one has the wrong target, or the state is not
needed any more.
",
    wrong: "\
action start, stop;

process Motor {
    init state idle;
    state busy;
    state «broken»;

    idle -> busy : start;
    busy -> idle : stop;
}
",
    right: "\
action start, stop;

process Motor {
    init state idle;
    state busy;
    state broken;

    idle -> busy   : start;
    busy -> idle   : stop;
    busy -> broken : stop;
}
",
};

impl UnreachableState {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, process) = (&self.name, &self.process);
        Diagnostic::new(
            entry,
            self.span,
            format!("the state `{name}` of `{process}` is never reached"),
        )
        .label("no transitions lead here from the initial state")
        .note(format!("add a transition to `{name}`, or remove the state"))
    }
}
