//! `T0184`: tuple of too many values.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A tuple of more values than tuples have.
#[derive(Clone, Debug)]
pub struct LongTuple {
    /// The text.
    pub span: Span,
    /// How many there are.
    pub count: usize,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0184",
    title: "tuple of too many values",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A tuple has two or three values: `(1, true)` is a `Pair<Int, Bool>`, and `(1, 2, 3)` a
`Triple<Int, Int, Int>`. More values are easier to read with names: declare a datatype.

A tuple of tuples is possible as well: `((1, 2), (3, 4))`.
",
    wrong: "\
fun both(a: Int, b: Bool): Bool = «(a, b, a, b)» == (a, b, a);
",
    right: "\
fun both(a: Int, b: Bool): Bool = (a, b, a) == (a, b, a);
",
};

impl LongTuple {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("a tuple of {} values", self.count);
        Diagnostic::new(entry, self.span, message)
            .label("tuples have two or three")
            .note("declare a datatype with a name for each, such as `data Place { Place(x: Int, y: Int) }`")
    }
}
