//! `W0314`: assignment without effect.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A variable that is assigned to itself.
#[derive(Clone, Debug)]
pub struct UselessAssignment {
    /// The assignment.
    pub span: Span,
    /// The variable.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0314",
    title: "assignment without effect",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A variable keeps its value when a transition does not assign it, so assigning it
to itself does nothing. Perhaps another variable or an input was meant.

Remove the assignment, or write the value that the variable should get.
",
    wrong: "\
action tick;

process Counter {
    var n: Int = 0;
    init state s;

    s -> s : tick when n < 9  do n := n + 1;
    s -> s : tick when n == 9 do «n := n»;
}
",
    right: "\
action tick;

process Counter {
    var n: Int = 0;
    init state s;

    s -> s : tick when n < 9  do n := n + 1;
    s -> s : tick when n == 9;
}
",
};

impl UselessAssignment {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("assigning `{name}` to itself does nothing"))
            .label("has no effect")
            .note("remove it: a variable that is not assigned keeps its value")
    }
}
