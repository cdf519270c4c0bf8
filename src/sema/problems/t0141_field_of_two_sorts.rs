//! `T0141`: field with two sorts.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A field that two constructors have, each with a sort of its own.
#[derive(Clone, Debug)]
pub struct FieldOfTwoSorts {
    /// The field where it is read.
    pub span: Span,
    /// The field.
    pub name: String,
    /// Two constructors, each with the sort that the field has there.
    pub sorts: [(String, String); 2],
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0141",
    title: "field with two sorts",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Several constructors of a datatype can have a field of one name, and `m.seq` is then the
field of whichever made the value. Here the field has another sort in another constructor,
so that nobody can say which sort `m.seq` has.

Take the value apart with `match`, which names the constructor, or give one of the fields
another name.
",
    wrong: "\
data Msg { Pkt(seq: Int), Last(seq: Bool) }

fun next(m: Msg): Int = m.«seq» + 1;
",
    right: "\
data Msg { Pkt(seq: Int), Last(seq: Bool) }

fun next(m: Msg): Int = match m { Pkt(seq) => seq + 1, Last(_) => 0 };
",
};

impl FieldOfTwoSorts {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let [(first, one), (second, other)] = &self.sorts;
        Diagnostic::new(entry, self.span, format!("`{}` has no sort of its own", self.name))
            .label(format!("`{one}` in `{first}`, and `{other}` in `{second}`"))
            .note("take the value apart with `match`")
    }
}
