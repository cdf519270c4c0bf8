//! `T0140`: index over all integers.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A quantifier over all integers whose variable is the index of a family.
#[derive(Clone, Debug)]
pub struct UnrangedIndex {
    /// The index.
    pub span: Span,
    /// The variable.
    pub variable: String,
    /// Where it is bound.
    pub declared: Span,
    /// The family.
    pub name: String,
    /// The indices of the family.
    pub range: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0140",
    title: "index over all integers",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A quantifier without a range speaks of all integers, and a family has only some members.
For the other integers the property reads what is not there, and so it has no value,
whatever the system does.

Say of which members it speaks: `forall i: 0..3 . S[i].v >= 0`. In the place of numbers,
parameters of the net can be used.
",
    wrong: "\
action tick;

process Clock {
    var t: Int = 0;
    init state s;

    s -> s : tick do t := t + 1;
}

net Row {
    sub S[i: 0..3] = Clock;

    <S[i]: tick> -> tick for i in 0..3;
}

check always(Row, forall i . S[«i»].t >= 0);
",
    right: "\
action tick;

process Clock {
    var t: Int = 0;
    init state s;

    s -> s : tick do t := t + 1;
}

net Row {
    sub S[i: 0..3] = Clock;

    <S[i]: tick> -> tick for i in 0..3;
}

check always(Row, forall i: 0..3 . S[i].t >= 0);
",
};

impl UnrangedIndex {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (variable, name, range) = (&self.variable, &self.name, &self.range);
        Diagnostic::new(entry, self.span, format!("`{variable}` is any integer, and not every integer is an index of `{name}`"))
            .label(format!("`{name}` has the indices `{range}`"))
            .also(self.declared, "it has no range")
            .note("say of which members this speaks")
            .suggest(
                format!("write `{variable}: {range}`"),
                self.declared,
                format!("{variable}: {range}"),
            )
    }
}
