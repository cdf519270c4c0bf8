//! `E0102`: family without members.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Family without members.
#[derive(Clone, Debug)]
pub struct EmptyFamily {
    /// Where it is.
    pub span: Span,
    /// The first index, and one past the last; none where nobody takes part in a vector.
    pub range: Option<(String, String)>,
    /// The instances that led here.
    pub chain: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0102",
    title: "family without members",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
With the values that the parameters have here, the range of the family has no
numbers in it. A part that is not there is hardly what was meant. (What is repeated
with `for` may be repeated zero times.) The same is said of a vector or connector in
which nobody takes part, because there is no index for its brackets.

Look at the instantiation that is shown: its arguments give the bounds.
",
    wrong: "\
action a(Int);

process Station<i: Int> {
    init state s;

    s -> s : a(i);
}

net Row<n: Int> {
    sub S[i: «0..n»] = Station<i>;

    <S[i]: a(x)> -> a(x) for i in 0..n;
}

net Nobody = Row<0>;
",
    right: "\
action a(Int);

process Station<i: Int> {
    init state s;

    s -> s : a(i);
}

net Row<n: Int> {
    sub S[i: 0..n] = Station<i>;

    <S[i]: a(x)> -> a(x) for i in 0..n;
}

net Few = Row<3>;
",
};

impl EmptyFamily {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let diagnostic = match &self.range {
            Some((low, high)) => Diagnostic::new(entry, self.span, format!("this family has no members: `{low}..{high}` is empty"))
                .label("empty")
                .note("a range goes from its first number to just before its second: the second must be larger"),
            None => Diagnostic::new(entry, self.span, "nobody takes part here")
                .label("there is no index for these brackets")
                .note("somebody has to be left: look at the range, and at the condition behind `when`"),
        };
        self.chain.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.also(*span, text.clone()))
    }
}
