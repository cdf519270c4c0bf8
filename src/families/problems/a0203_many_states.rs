//! `A0203`: component with too many states.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};
use crate::parametric::MOST_STATES;

/// A process with more states than are looked at where a system has any size.
#[derive(Clone, Debug)]
pub struct ManyStates {
    /// Its name.
    pub span: Span,
    /// Its name.
    pub name: String,
    /// How many states it has.
    pub states: usize,
}

pub(super) const ENTRY: Entry = Entry {
    code: "A0203",
    title: "component with too many states",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A proof for every size looks at up to 1,024 states of each process, its variables left
out. A process that has more is not looked at, and the check stays unknown.

Split the process into parts that take turns, or check single sizes:
`pnet verify --set n=5`.
",
    wrong: "",
    right: "",
};

impl ManyStates {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, states) = (&self.name, self.states);
        let said = format!("`{name}` has {states} states, too many where every size is looked at");
        Diagnostic::new(entry, self.span, said)
            .label(format!("more than {MOST_STATES} states"))
            .note("split it into parts that take turns, or look at one size with `--set`")
    }
}
