//! `F0334`: value that nobody gives.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A value that nobody gives, and of which there are too many to write them out.
#[derive(Clone, Debug)]
pub struct OpenValue {
    /// The variable, or the vector in which it is open.
    pub span: Span,
    /// The variable.
    pub what: String,
    /// Whether it is a variable of a process that begins with any value.
    pub is_initial: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0334",
    title: "value that nobody gives",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A variable without an initial value begins with any value, and an input that no other member
of the vector gives a value is any value. BIP chooses no values, so the values of a small
range are written out one by one; of all numbers that is not possible. Give the
variable an initial value, or the input a small range.
",
    wrong: "\
action put(Int), get(Int);

process Cell {
    var x: Int = 0;
    init state s;

    s -> s : put(?new) do x := new;
    s -> s : get(x);
}

net One {
    sub C = Cell;

    «<C: put(v)> -> put(v)»;
    <C: get(v)> -> get(v);
}
",
    right: "\
action put(0..3), get(0..3);

process Cell {
    var x: 0..3 = 0;
    init state s;

    s -> s : put(?new) do x := new;
    s -> s : get(x);
}

net One {
    sub C = Cell;

    <C: put(v)> -> put(v);
    <C: get(v)> -> get(v);
}
",
};

impl OpenValue {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (message, note) = match self.is_initial {
            true => (
                format!("`{}` begins with any value", self.what),
                "give it an initial value: the format has nothing that chooses one",
            ),
            false => (
                format!("nobody gives `{}` a value here", self.what),
                "give it a range of few values, or let another member of the vector give it one",
            ),
        };
        Diagnostic::new(entry, self.span, message).note(note)
    }
}
