//! `T0177`: instance that nothing tells.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A use of something over sorts that says nothing about these sorts.
#[derive(Clone, Debug)]
pub struct OpenInstance {
    /// The text.
    pub span: Span,
    /// What is used.
    pub name: String,
    /// What is known of its sort, of a constructor.
    pub shown: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0177",
    title: "instance that nothing tells",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A constructor or function that is over sorts gets them from where it is used: from
its arguments, and from what is wanted of it. `Cons(1, Nil)` is a `List<Int>`; so is
`Nil` where a `List<Int>` is wanted. Here nothing tells.

Write the sort behind the value, in parentheses: `(Nil: List<Int>)`.
",
    wrong: "\
data List<T> { Nil, Cons(head: T, tail: List<T>) }

fun len<T>(l: List<T>): Int = match l { Nil => 0, Cons(_, tail) => 1 + len(tail) };

const NONE: Int = len(«Nil»);
",
    right: "\
data List<T> { Nil, Cons(head: T, tail: List<T>) }

fun len<T>(l: List<T>): Int = match l { Nil => 0, Cons(_, tail) => 1 + len(tail) };

const NONE: Int = len((Nil: List<Int>));
",
};

impl OpenInstance {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let diagnostic = Diagnostic::new(
            entry,
            self.span,
            format!("for which sorts `{name}` is meant cannot be inferred"),
        );
        match &self.shown {
            Some(shown) => diagnostic
                .label(format!("this has sort `{shown}`"))
                .note(format!("write its sort: `({name}: {})`", shown.replace("<_", "<Int").replace(", _", ", Int"))),
            None => diagnostic
                .label("nothing says for which sorts")
                .note("write the sort of an argument or of the result: `(x: Int)`"),
        }
    }
}
