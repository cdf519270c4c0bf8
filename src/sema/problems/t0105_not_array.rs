//! `T0105`: index into something that is no array.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An index after a value that is no array.
#[derive(Clone, Debug)]
pub struct NotArray {
    /// The value.
    pub span: Span,
    /// Its sort.
    pub found: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0105",
    title: "index into something that is no array",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`m[i]` reads an array and `m[i := v]` is the same array with one value changed.
The value before the bracket has to be of an array sort, which is written `[K]V`:
from keys of sort `K` to values of sort `V`. This one is not.
",
    wrong: "\
fun first(n: Int): Int = «n»[0];
",
    right: "\
fun first(n: [Int]Int): Int = n[0];
",
};

impl NotArray {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let found = &self.found;
        Diagnostic::new(entry, self.span, format!("a value of sort `{found}` has no index"))
            .label(format!("has the sort `{found}`, which is no array"))
            .note("only arrays can be indexed; their sorts are written `[Int]Bool`")
    }
}
