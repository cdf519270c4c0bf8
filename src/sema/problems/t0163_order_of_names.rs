//! `T0163`: priority of more than names, in a process or an architecture.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Priority of more than names, where only names can be ordered.
#[derive(Clone, Debug)]
pub struct OrderOfNames {
    /// What is more than a name.
    pub span: Span,
    /// Where it stands, with its article.
    pub place: &'static str,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0163",
    title: "priority of more than names",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A priority in a process orders its actions by their names: `priority tick < stop;`. Arguments
and ports are for priorities in nets.

Say in the guard of the priority when it holds: `priority tick < stop when n > 3;`.

A priority in a rule of an architecture is about all interactions of a name, in whatever rule
they are: it orders names, without conditions.
",
    wrong: "\
action tick(Int), stop;

process Clock {
    init state s;

    s -> s : tick(1);
    s -> s : stop;
    priority «tick(1)» < stop;
}
",
    right: "\
action tick(Int), stop;

process Clock {
    init state s;

    s -> s : tick(1);
    s -> s : stop;
    priority tick < stop;
}
",
};

impl OrderOfNames {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("a priority in {} orders names of actions", self.place);
        let note = match self.place {
            "a process" => "write the name alone, and a condition behind `when` if there is one",
            _ => "write names alone, without `when` and `for`",
        };
        Diagnostic::new(entry, self.span, message).label("more than a name").note(note)
    }
}
