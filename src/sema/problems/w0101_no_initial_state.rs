//! `W0101`: process without an initial state.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A process in which no state is marked `init`.
#[derive(Clone, Debug)]
pub struct NoInitialState {
    /// The process's name.
    pub span: Span,
    /// The process.
    pub process: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0101",
    title: "process without an initial state",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A process starts in the state that is marked `init`. Without one it is not clear
where it begins, and it could do nothing at all.

Write `init` before the state it starts in: `init state idle;`.
",
    wrong: "\
action start, stop;

process «Motor» {
    state idle, busy;

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

impl NoInitialState {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("the process `{}` has no initial state", self.process);
        Diagnostic::new(entry, self.span, message)
            .label("starts nowhere")
            .note("mark the state in which it starts: `init state idle;`")
    }
}
