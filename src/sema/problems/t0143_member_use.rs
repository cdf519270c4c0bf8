//! `T0143`: member of a family as a value.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// The variable of a quantifier over members where a value stands, or compared with a member of another family.
#[derive(Clone, Debug)]
pub struct MemberUse {
    /// The variable, or the comparison.
    pub span: Span,
    /// The variable.
    pub name: String,
    /// Its family.
    pub family: String,
    /// The variable that it is compared with, and the family of that.
    pub other: Option<(String, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0143",
    title: "member of a family as a value",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
In `forall x in C . …` the variable stands for a member of a family, which is a component
and no number. It can be tested (`x in busy`), its variables can be read (`x.n`), and it
can be compared with another member of the same family (`x == y`, `x != y`). Members of
two families are never the same.

Where the index is needed, go through the indices: `forall i: 0..3 . C[i] in busy`.
",
    wrong: "\
action take, give;

process Client {
    init state idle;
    state busy;

    idle -> busy : take;
    busy -> idle : give;
}

net Pool {
    sub C[i: 0..3] = Client;

    <C[i]: take> -> take for i in 0..3;
    <C[i]: give> -> give for i in 0..3;
}

check always(Pool, forall x in C . x in idle or «x» > 0);
",
    right: "\
action take, give;

process Client {
    init state idle;
    state busy;

    idle -> busy : take;
    busy -> idle : give;
}

net Pool {
    sub C[i: 0..3] = Client;

    <C[i]: take> -> take for i in 0..3;
    <C[i]: give> -> give for i in 0..3;
}

check not always(Pool, forall i: 0..3 . C[i] in idle or i > 0);
",
};

impl MemberUse {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, family) = (&self.name, &self.family);
        match &self.other {
            None => Diagnostic::new(entry, self.span, format!("`{name}` is a member, and no value"))
                .label(format!("a member of `{family}`"))
                .note(format!(
                    "write `{name} in s` or `{name}.v`, or go through the indices: `forall i: 0..n . {family}[i] in s`"
                )),
            Some((other, second)) => {
                let said = format!("`{name}` and `{other}` are never the same member");
                Diagnostic::new(entry, self.span, said)
                    .label(format!("members of `{family}` and of `{second}`"))
                    .note("compare members of one family")
            }
        }
    }
}
