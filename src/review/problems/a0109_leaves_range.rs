//! `A0109`: value that can leave its range.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};
use crate::pnet::OwedKind;
use crate::sema::Assigned;

/// A value that can leave its range.
#[derive(Clone, Debug)]
pub struct LeavesRange {
    /// Where it is.
    pub span: Span,
    /// What the value is for.
    pub kind: OwedKind,
    /// The variable that it is assigned to.
    pub assigned: Option<Assigned>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "A0109",
    title: "value that can leave its range",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A variable or an argument has a range as its sort, and here it can be given a value
outside of it; or an array is read at a place that it does not have, a family at a
member that it does not have, or something is divided by zero. Such a step does not
happen: it is blocked where the value would leave the range, without a word. If that
is what is meant, say so with a condition.
",
    wrong: "\
action tick(Int);

process Clock {
    var n: 0..4 = 0;
    init state s;

    s -> s : tick(n) do n := «n + 1»;
}

net Watch {
    sub C = Clock;

    <C: tick(x)> -> tick(x);
}
",
    right: "\
action tick(Int);

process Clock {
    var n: 0..4 = 0;
    init state s;

    s -> s : tick(n) when n < 3 do n := n + 1;
}

net Watch {
    sub C = Clock;

    <C: tick(x)> -> tick(x);
}
",
};

impl LeavesRange {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (message, note) = match self.kind {
            OwedKind::Range => (
                "a value can leave its range here",
                "add a condition that keeps it inside, or use `mod`",
            ),
            OwedKind::Place => (
                "this can be a place that the array does not have",
                "add a condition that keeps it inside the range of the array",
            ),
            OwedKind::Member => (
                "this can be an index that the family does not have",
                "add a condition that keeps it inside the range of the family, or a vector for the rest",
            ),
            OwedKind::Divisor => {
                ("this can be zero, and something is divided by it", "add a condition that it is not")
            }
            OwedKind::Call => (
                "the definition of this function can be without a value here",
                "a value inside the function leaves its range: add a condition that keeps it inside",
            ),
            OwedKind::Field => (
                "this changes a field that the value need not have",
                "add a condition that tests the constructor with `is`",
            ),
            OwedKind::Apart => (
                "this place can be one that is assigned already in this step",
                "add a condition that the places differ, or write `do { … }` for one after the other",
            ),
        };
        let diagnostic = Diagnostic::new(entry, self.span, message)
            .label("where it would, this does not happen");
        match &self.assigned {
            Some(assigned) => assigned_to(assigned, diagnostic, note),
            None => diagnostic.note(note),
        }
    }
}

/// What to do where a variable gets the value.
fn assigned_to(assigned: &Assigned, diagnostic: Diagnostic, note: &str) -> Diagnostic {
    match &assigned.received {
        Some((declared, action)) => assigned
            .variable
            .point_out(diagnostic)
            .also(*declared, "any value is received")
            .note(format!(
                "declare `{action}` so that only values of the range are received, or add a condition"
            )),
        None if assigned.compared => assigned.variable.explain(diagnostic),
        None => assigned.variable.point_out(diagnostic).note(note),
    }
}
