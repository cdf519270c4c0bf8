//! `T0138`: incomplete statement of a reduction.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A statement of a reduction that says too little, or too much.
#[derive(Clone, Debug)]
pub struct ReductionForm {
    /// Its word.
    pub span: Span,
    /// Its word.
    pub word: String,
    /// How it is written.
    pub example: &'static str,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0138",
    title: "incomplete statement of a reduction",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Each statement of a reduction has one form: `restrict P by Q;` names one part and
those that limit it, `compose P, Q first;` two parts or more, and `leaf` and
`root` one relation each.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Two {
    sub A = Clock;
    sub B = Clock;

    <A: tick, B: tick> -> tick;
}

reduction Small of Two {
    «restrict» A;
}

check deadlock_free(Two) by Small;
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Two {
    sub A = Clock;
    sub B = Clock;

    <A: tick, B: tick> -> tick;
}

reduction Small of Two {
    restrict A by B;
}

check deadlock_free(Two) by Small;
",
};

impl ReductionForm {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let word = &self.word;
        Diagnostic::new(entry, self.span, format!("`{word}` is not written like this"))
            .label("says too little, or too much")
            .note(format!("write it as in `{};`", self.example))
    }
}
