//! `T0164`: too large when written out.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A value that is too large when names are replaced by what they stand for.
#[derive(Clone, Debug)]
pub struct WrittenTooLarge {
    /// The name, or what is assigned.
    pub span: Span,
    /// How large it may be.
    pub limit: u64,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0164",
    title: "too large when written out",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A name of `let` is another way to write what it stands for, and an assignment in
`do { x := 1; y := x + 1 }` sees the ones before it in the same way. Where each line uses
the one before it twice, what is meant is twice as large with every line, and nobody could
show it, or compute with it.

Put a part of it into a function, which is not written out, or into a step of its own.
",
    wrong: "\
action go(Int);

process Large {
    var x: Int = 1;
    init state s;

    s -> s : go(x) do {
        x := x * x + x;
        x := x * x + x;
        x := x * x + x;
        x := x * x + x;
        x := x * x + x;
        x := x * x + x;
        x := x * x + x;
        x := x * x + x;
        x := x * x + x;
        «x» := x * x + x
    };
}
",
    right: "\
action go(Int);

fun next(x: Int): Int = x * x + x;

process Large {
    var x: Int = 1;
    init state s;

    s -> s : go(x) do { x := next(next(next(next(x)))); x := next(next(next(next(x)))) };
}
",
};

impl WrittenTooLarge {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let limit = self.limit;
        Diagnostic::new(entry, self.span, "this is too large when names are replaced by what they stand for")
            .label(format!("more than {limit} parts"))
            .note("put a part of it into a function, or into a step of its own")
    }
}
