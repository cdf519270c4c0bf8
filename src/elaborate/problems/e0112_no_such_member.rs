//! `E0112`: property of what is not there.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A property that speaks of what the net does not have, or has several of.
#[derive(Clone, Debug)]
pub struct NoSuchMember {
    /// The text.
    pub span: Span,
    /// What is wrong with it.
    pub why: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0112",
    title: "property of what is not there",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
With the values that parameters and constants have here, a property speaks of a member
that a family does not have, or of a path that fits several things in this net. So it
has no value, whatever the net does.

Write an index that there is, give a quantifier the range of the family, or write more of
the path.
",
    wrong: "\
action tick;

process Clock {
    var t: Int = 0;
    init state s;

    s -> s : tick do t := t + 1;
}

net Row<n: Int> {
    sub S[i: 0..n] = Clock;

    <S[i]: tick> -> tick for i in 0..n;
}

/// Rows of one clock, of two, and of three.
net Steps {
    sub R[i: 0..3] = Row<i + 1>;

    <R[i]: tick> -> tick for i in 0..3;
}

check always(Steps, «R[1].S[2].t» >= 0);
",
    right: "\
action tick;

process Clock {
    var t: Int = 0;
    init state s;

    s -> s : tick do t := t + 1;
}

net Row<n: Int> {
    sub S[i: 0..n] = Clock;

    <S[i]: tick> -> tick for i in 0..n;
}

/// Rows of one clock, of two, and of three.
net Steps {
    sub R[i: 0..3] = Row<i + 1>;

    <R[i]: tick> -> tick for i in 0..3;
}

check always(Steps, R[2].S[2].t >= 0);
",
};

impl NoSuchMember {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, self.why.clone())
            .label("the property has no value here")
            .note("write an index that there is, or more of the path")
    }
}
