//! `T0105`: index into something that is no array.

use crate::diagnostics::{Diagnostic, Edit, Entry, Severity, Span, Suggestion};

/// An index after a value that is no array.
#[derive(Clone, Debug)]
pub struct NotArray {
    /// The value.
    pub span: Span,
    /// Its sort.
    pub found: String,
    /// Where it is a condition behind an action: what stands before and after it.
    pub guard: Option<(Span, Span)>,
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

A guard is no index: it stands behind `when`, as in `s -> t : go when x < 3;`.
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
        if let Some((before, after)) = self.guard {
            return self.as_guard(entry, before, after);
        }
        let found = &self.found;
        Diagnostic::new(entry, self.span, format!("a value of sort `{found}` has no index"))
            .label(format!("has the sort `{found}`, which is no array"))
            .note("only arrays can be indexed; their sorts are written `[Int]Bool`")
    }

    /// `go [x < 3]`
    fn as_guard(&self, entry: &'static Entry, before: Span, after: Span) -> Diagnostic {
        let message = "a guard stands behind `when`, and not in brackets";
        let mut diagnostic = Diagnostic::new(entry, self.span, message)
            .label("read as an index, and an action has none")
            .note("a transition reads `s -> t : a when guard do assignments;`");
        let edit = |span, text: &str| Edit { span, text: text.to_owned() };
        let edits = vec![edit(before, " when "), edit(after, "")];
        diagnostic.suggestions.push(Suggestion { message: "write `when`".to_owned(), edits });
        diagnostic
    }
}
