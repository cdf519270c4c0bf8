//! `W0312`: guard that is always the same.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};
use crate::sema::range_ends::RangeEnd;

/// A guard that is always true or always false.
#[derive(Clone, Debug)]
pub struct ConstantGuard {
    /// The guard.
    pub span: Span,
    /// What it always is.
    pub value: bool,
    /// What it compares with the end of its range.
    pub end: Option<RangeEnd>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0312",
    title: "guard that is always the same",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
The guard does not depend on anything that changes. If it is always true it can be
left out; if it is always false, the transition or vector never happens, and what
waits for it waits for ever.

Look for a comparison of two constants, or of a thing with itself, and at the ranges
of variables: `n: 0..3` has the values 0, 1 and 2, so that `n < 3` is always true.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick when «1 < 2»;
}
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}
",
};

impl ConstantGuard {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (message, label, note) = if self.value {
            (
                "this guard is always true",
                "always true",
                "leave it out, or test something that can change",
            )
        } else {
            (
                "this guard is never true",
                "always false",
                "what it guards can never happen: correct the guard, or remove the whole",
            )
        };
        let diagnostic = Diagnostic::new(entry, self.span, message).label(label);
        match &self.end {
            Some(end) => end.explain(diagnostic),
            None => diagnostic.note(note),
        }
    }
}
