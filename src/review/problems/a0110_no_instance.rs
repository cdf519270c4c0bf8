//! `A0110`: vector or connector of which nothing is left.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A vector or connector that is repeated, and in each repetition a part would take part twice.
#[derive(Clone, Debug)]
pub struct NoInstance {
    /// Its text.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "A0110",
    title: "vector of which nothing is left",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A part does one action at a time, so a vector or a connector whose members are the same
part is left out. Here this is so for every value of the indices: nothing is left of it,
and what it was written for never happens. Often the family is smaller than it was meant
to be.
",
    wrong: "\
action give, take, pass;

process Player {
    init state s;

    s -> s : give;
    s -> s : take;
}

net Circle<n: Int> {
    sub P[i: 0..n] = Player;

    «<P[i]: give, P[j]: take> -> pass for i in 0..n, j in 0..n»;
    <P[0]: give>             -> give;
}

net Alone = Circle<1>;
",
    right: "\
action give, take, pass;

process Player {
    init state s;

    s -> s : give;
    s -> s : take;
}

net Circle<n: Int> {
    sub P[i: 0..n] = Player;

    <P[i]: give, P[j]: take> -> pass for i in 0..n, j in 0..n;
    <P[0]: give>             -> give;
}

net Two = Circle<2>;
",
};

impl NoInstance {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "nothing is left of this: a part cannot take part twice")
            .label("its members are the same part for every value of the indices")
            .note("make the family larger, or name other members")
    }
}
