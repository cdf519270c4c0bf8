//! `T0176`: wrong number of sorts.

use super::count;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A sort with too many or too few sorts in angle brackets.
#[derive(Clone, Debug)]
pub struct SortCount {
    /// The text.
    pub span: Span,
    /// The name of the sort.
    pub name: String,
    /// How many sorts it is for.
    pub expected: usize,
    /// How many are given.
    pub found: usize,
    /// Where it is declared.
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0176",
    title: "wrong number of sorts",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A datatype that is declared over sorts, `data List<T> { … }`, is a sort together
with as many sorts in angle brackets: `List<Int>`. Other sorts take none.

Write the sorts where the datatype is used, or remove those that are too many.
",
    wrong: "\
data List<T> { Nil, Cons(head: T, tail: List<T>) }

const NOTHING: «List» = Nil;
",
    right: "\
data List<T> { Nil, Cons(head: T, tail: List<T>) }

const NOTHING: List<Int> = Nil;
",
};

impl SortCount {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, takes) = (&self.name, count(self.expected, "sort"));
        let message = match self.expected {
            0 => format!("`{name}` is not for other sorts"),
            _ => format!("`{name}` is for {takes}"),
        };
        let diagnostic = Diagnostic::new(entry, self.span, message)
            .label(format!("has {} here", count(self.found, "sort")));
        let diagnostic = match self.declared {
            Some(place) => diagnostic.also(place, "declared here"),
            None => diagnostic,
        };
        match self.expected {
            0 => diagnostic.note(format!("write `{name}` alone")),
            expected => {
                let sorts = vec!["Int"; expected].join(", ");
                diagnostic.note(format!("write the sorts in angle brackets, as in `{name}<{sorts}>`"))
            }
        }
    }
}
