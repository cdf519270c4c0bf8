//! `T0128`: family without index, or index without family.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An index that is missing, or that is one too many.
#[derive(Clone, Debug)]
pub struct FamilyIndex {
    /// The part.
    pub span: Span,
    /// The part.
    pub name: String,
    /// Whether it is a family and needs an index; otherwise it is single and takes none.
    pub family: bool,
    /// Where it is declared.
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0128",
    title: "family without index, or index without family",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`sub S[i: 0..3] = Station;` makes a family of three parts, `S[0]`, `S[1]` and
`S[2]`. Each use says which member is meant. A part that was declared without an
index is single, and is named without one.

To repeat a vector for all members write `<S[i]: tick> -> tick for i in 0..3;`.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Row {
    sub S[i: 0..3] = Clock;

    <S[i]: tick>          -> tick for i in 0..3;
    <S[0]: tick, «S»: tick> -> tick;
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
    <S[0]: tick, S[1]: tick> -> tick;
}
",
};

impl FamilyIndex {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let diagnostic = if self.family {
            Diagnostic::new(entry, self.span, format!("`{name}` is a family and needs an index"))
                .label("which member?")
                .note(format!(
                    "write `{name}[0]`, or `{name}[i]` with `for i in …`, in a property with `forall i: …`"
                ))
        } else {
            Diagnostic::new(entry, self.span, format!("`{name}` is no family and takes no index"))
                .label("there is only one")
                .note(format!("write `{name}` without an index"))
        };
        match self.declared {
            Some(place) if self.family => diagnostic.also(place, "declared here as a family"),
            Some(place) => diagnostic.also(place, "declared here without an index"),
            None => diagnostic,
        }
    }
}
