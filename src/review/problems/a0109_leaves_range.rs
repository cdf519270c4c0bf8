//! `A0109`: value that can leave its range.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A value that can leave its range.
#[derive(Clone, Debug)]
pub struct LeavesRange {
    /// Where it is.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "A0109",
    title: "value that can leave its range",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A variable or an argument has a range as its sort, and here it can be given a value
outside of it. Such a step does not happen: it is blocked where the value would leave
the range, without a word. If that is what is meant, say so with a condition.
",
    wrong: "\
action tick(Int);

process Clock {
    var n: 0..4 = 0;
    init state s;

    «s -> s : tick(n) do n := n + 1»;
}

net Watch {
    sub C = Clock;

    <C: tick(x)> -> tick(x);
}
",
    right: "\
action tick(Int);

process Clock {
    var n: 0..4 = 0;
    init state s;

    s -> s : tick(n) when n < 3 do n := n + 1;
}

net Watch {
    sub C = Clock;

    <C: tick(x)> -> tick(x);
}
",
};

impl LeavesRange {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "a value can leave its range here")
            .label("where it would, this does not happen")
            .note("add a condition that keeps it inside, or use `mod`")
    }
}
