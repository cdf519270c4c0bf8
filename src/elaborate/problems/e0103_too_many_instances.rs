//! `E0103`: too many instances.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Too many instances.
#[derive(Clone, Debug)]
pub struct TooManyInstances {
    /// Where it is.
    pub span: Span,
    /// How many may be made.
    pub limit: usize,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0103",
    title: "too many instances",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Elaboration makes every instance that the net asks for, and every copy of a vector.
Nets that contain other nets several times, level after level, or families with
very large ranges, can ask for more than there is memory.

Choose smaller ranges, or raise the limit with `--most-instances`.
",
    wrong: "\
action a(Int);

process Station<i: Int> {
    init state s;

    s -> s : a(i);
}

net Row {
    sub S[i: «0..9_000_000_000»] = Station<i>;

    <S[0]: a(x)> -> a(x);
}
",
    right: "\
action a(Int);

process Station<i: Int> {
    init state s;

    s -> s : a(i);
}

net Row {
    sub S[i: 0..9] = Station<i>;

    <S[0]: a(x)> -> a(x);
}
",
};

impl TooManyInstances {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("more than {} instances would be made", self.limit))
            .label("this goes over the limit")
            .note("`--most-instances N` raises the limit")
    }
}
