//! `P0012`: operator of another language.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An operator as other languages write it.
#[derive(Clone, Debug)]
pub struct ForeignOperator {
    /// The operator.
    pub span: Span,
    /// The operator that was written.
    pub found: String,
    /// The operator of this language.
    pub meant: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0012",
    title: "operator of another language",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Logical operators and whole-number division are written as words: `and`, `or`,
`not`, `div`, `mod`. The statement is read as if the word had been written, so
that mistakes further on are found as well. \"Different from\" is `!=`, as
elsewhere.
",
    wrong: "\
action tick;

process Counter {
    var n: Int = 0;
    init state s;

    s -> s : tick when n >= 0 «&&» n < 4 do n := n + 1;
}
",
    right: "\
action tick;

process Counter {
    var n: Int = 0;
    init state s;

    s -> s : tick when n >= 0 and n < 4 do n := n + 1;
}
",
};

impl ForeignOperator {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (found, meant) = (&self.found, &self.meant);
        let made =
            Diagnostic::new(entry, self.span, format!("`{found}` is not an operator here"));
        // It says something of all positions of a run, and no operator stands for that.
        if found == "~>" {
            return made.label("not part of the language").note(
                "that each `p` is followed by a `q` is written `responds(p, q)`, or `A[G (p => F q)]`",
            );
        }
        made.label(format!("expected `{meant}`"))
            .note(format!("this language writes `{meant}` for `{found}`"))
            .suggest(format!("write `{meant}`"), self.span, self.text())
    }

    /// What to put in its place: a word that stands before its operand does not touch it.
    fn text(&self) -> String {
        if self.meant == "not" { "not ".to_owned() } else { self.meant.clone() }
    }
}
