//! `N0207`: unknown state.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A state that the process does not declare.
#[derive(Clone, Debug)]
pub struct UnknownState {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The process.
    pub process: String,
    /// The state that was probably meant.
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0207",
    title: "unknown state",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The states of a process are declared with `state`, and each process has its own. A
transition can only lead from one of them to another, and a test of a component's
state can only ask for one of them.
",
    wrong: "\
action start, stop;

process Motor {
    init state idle;
    state busy;

    idle -> busy : start;
    busy -> «idel» : stop;
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

impl UnknownState {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, process) = (&self.name, &self.process);
        Diagnostic::new(entry, self.span, format!("the process `{process}` has no state `{name}`"))
            .label("unknown state")
            .note(format!("a new state is declared in `{process}` with `state {name};`"))
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
