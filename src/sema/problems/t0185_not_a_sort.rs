//! `T0185`: value in the place of a sort.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An argument that is no sort, for a parameter that stands for one.
#[derive(Clone, Debug)]
pub struct NotASort {
    /// The text.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0185",
    title: "value in the place of a sort",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A parameter `T: sort` stands for a sort: `Cell<Int, …>`, `Cell<List<Int>, …>`. Where the
other arguments tell which, the sorts can all be left out, and `_` stands for one of them.

A value, such as a number, is for a parameter that has a sort: `n: Int`.
",
    wrong: "\
action put(Int);

process Source<T: sort, first: T, out: Action(T)> {
    init state s;
    s -> s : out(first);
}

net System {
    sub S = Source<«3», 3, put>;

    <S: put(x)> -> put(x);
}
",
    right: "\
action put(Int);

process Source<T: sort, first: T, out: Action(T)> {
    init state s;
    s -> s : out(first);
}

net System {
    sub S = Source<Int, 3, put>;

    <S: put(x)> -> put(x);
}
",
};

impl NotASort {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "a sort is wanted here")
            .label("this is a value")
            .note("write a sort, such as `Int` or `List<Int>`; `_` stands for the one that the other arguments tell")
    }
}
