//! `W0317`: nothing in a range.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A range that something is repeated for, and that holds no number.
#[derive(Clone, Debug)]
pub struct NothingInRange {
    /// The range.
    pub span: Span,
    /// Its lower bound.
    pub low: String,
    /// Its upper bound.
    pub high: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0317",
    title: "nothing in a range",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A range `low..high` holds the numbers from `low` up to, but not including, `high`.
This one holds none. A vector that is repeated for the numbers in it is none at all,
`forall` over it is true, and `exists` is false.

That can be right, as for a row of one place, which has no neighbours. Otherwise the
bounds may be the wrong way round, or `high` was meant to be included: to include it,
write one more.
",
    wrong: "\
action go;

process Once {
    var x: Int = 0;
    init state s;

    s -> s : go when exists z: «2..2» . z == x;
}
",
    right: "\
action go;

process Once {
    var x: Int = 0;
    init state s;

    s -> s : go when exists z: 0..2 . z == x;
}
",
};

impl NothingInRange {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (low, high) = (&self.low, &self.high);
        let message = format!("there is nothing in the range `{low}..{high}`");
        Diagnostic::new(entry, self.span, message)
            .label("empty")
            .note("a range ends just before its upper bound: `0..4` holds 0, 1, 2 and 3")
    }
}
