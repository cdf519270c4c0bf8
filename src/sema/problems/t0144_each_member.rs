//! `T0144`: members that nobody can go through.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A quantifier over members where it is not known which there are.
#[derive(Clone, Debug)]
pub struct EachMember {
    /// The family.
    pub span: Span,
    /// The family, or the variable.
    pub name: String,
    /// Why nobody can go through them.
    pub mistake: EachMistake,
}

/// Why nobody can go through the members of a family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EachMistake {
    /// It is no property of a net.
    NoProperty,
    /// How many there are depends on where it stands.
    Differs {
        /// Where the family is declared.
        declared: Span,
    },
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0144",
    title: "members that nobody can go through",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`forall x in P . …` goes through the members of a family of the net that a property is
about. Elsewhere, as in the guard of a transition or in an axiom, there are no members.

Where a family stands in the members of another one and its size depends on theirs, its
members have to be gone through for each of them by itself, by their indices.
",
    wrong: "\
action go;

process Cell {
    init state s;
    state t;

    s -> t : go;
}

net Row<size: Int> {
    sub C[j: 0..size] = Cell;

    <C[j]: go> -> go for j in 0..size;
}

net Table {
    sub R[i: 0..2] = Row<i + 1>;

    <R[i]: go> -> go for i in 0..2;
}

check always(Table, forall x in «R.C» . x in { s, t });
",
    right: "\
action go;

process Cell {
    init state s;
    state t;

    s -> t : go;
}

net Row<size: Int> {
    sub C[j: 0..size] = Cell;

    <C[j]: go> -> go for j in 0..size;
}

net Table {
    sub R[i: 0..2] = Row<i + 1>;

    <R[i]: go> -> go for i in 0..2;
}

check always(Table, forall i: 0..2, j: 0..2 . j <= i => R[i].C[j] in { s, t });
",
};

impl EachMember {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        match self.mistake {
            EachMistake::NoProperty => {
                let said = format!("`{name}` cannot go through members here");
                Diagnostic::new(entry, self.span, said)
                    .label("only a property of a net speaks of members")
                    .note("give the variable a sort: `forall i: 0..3 . …`")
            }
            EachMistake::Differs { declared } => {
                let said = format!("not every `{name}` has the same number of members");
                Diagnostic::new(entry, self.span, said)
                    .label("how many there are depends on an index")
                    .also(declared, "declared here")
                    .note(format!("go through the indices: `forall i: 0..n, j: 0..m . … {name}[j]`"))
            }
        }
    }
}
