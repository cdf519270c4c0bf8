//! `T0132`: index outside of the family.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An index that no member of the family has.
#[derive(Clone, Debug)]
pub struct IndexOutOfFamily {
    /// The index.
    pub span: Span,
    /// The family.
    pub name: String,
    /// The index.
    pub index: String,
    /// The indices of the family.
    pub range: String,
    /// Where it is declared.
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0132",
    title: "index outside of the family",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A family declared with `sub S[i: 0..3]` has the members `S[0]`, `S[1]` and `S[2]`:
the upper bound of a range is not included. There is no member with this index, so
nothing could ever move here.

For neighbours in a ring, let the index start again: `S[(i + 1) mod 3]`.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Row {
    sub S[i: 0..3] = Clock;

    <S[i]: tick>             -> tick for i in 0..3;
    <S[0]: tick, S[«3»]: tick> -> tick;
}
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Row {
    sub S[i: 0..3] = Clock;

    <S[i]: tick>             -> tick for i in 0..3;
    <S[0]: tick, S[2]: tick> -> tick;
}
",
};

impl IndexOutOfFamily {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, index, range) = (&self.name, &self.index, &self.range);
        let diagnostic = Diagnostic::new(
            entry,
            self.span,
            format!("there is no `{name}[{index}]`"),
        )
        .label(format!("outside of `{range}`"))
        .note(match range.split_once("..") {
            Some((low, high)) => format!(
                "the members start with `{name}[{low}]` and end just before `{name}[{high}]`"
            ),
            None => format!("the members of `{name}` have the indices `{range}`"),
        });
        match self.declared {
            Some(place) => diagnostic.also(place, "the family is declared here"),
            None => diagnostic,
        }
    }
}
