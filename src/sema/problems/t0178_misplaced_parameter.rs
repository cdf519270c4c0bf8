//! `T0178`: `sort` or `Action(…)` in the wrong place.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// `sort`, or an action with arguments, where a sort of values is wanted.
#[derive(Clone, Debug)]
pub struct MisplacedParameter {
    /// The text.
    pub span: Span,
    /// Whether it is `sort`.
    pub is_sort: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0178",
    title: "`sort` or `Action(…)` in the wrong place",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Only parameters of processes, nets and connectors in angle brackets can stand for sorts,
`T: sort`, and only those of processes and nets for actions with data, `put: Action(T)`: a
connector has ports. Functions and datatypes name the sorts that they are over:
`fun len<T>(l: List<T>): Int`.
",
    wrong: "\
const WHICH: «sort»;
",
    right: "\
const WHICH: Int;
",
};

impl MisplacedParameter {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (message, note) = match self.is_sort {
            true => (
                "a sort cannot stand for a sort here",
                "parameters of processes, nets and connectors can: `process Cell<T: sort>`; functions and data name theirs: `fun len<T>(l: List<T>): Int`",
            ),
            false => (
                "an action with arguments cannot stand here",
                "parameters of processes and nets can: `process Cell<put: Action(Int)>`; a connector has ports: `connector Tell(p: port(x: Int))`",
            ),
        };
        Diagnostic::new(entry, self.span, message).label("a sort of values is wanted").note(note)
    }
}
