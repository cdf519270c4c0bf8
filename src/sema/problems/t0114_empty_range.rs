//! `T0114`: range without values.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A range that holds no number.
#[derive(Clone, Debug)]
pub struct EmptyRange {
    /// The range.
    pub span: Span,
    /// Its lower bound.
    pub low: String,
    /// Its upper bound.
    pub high: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0114",
    title: "range without values",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A range `low..high` holds the numbers from `low` up to, but not including, `high`.
This one holds none: a variable of this sort could have no value, and a family
over it would have no members.

Perhaps the bounds are the wrong way round, or `high` was meant to be included: to
include it, write one more.
",
    wrong: "\
action at(Int);

process Ring {
    var pos: «4..0»;
    init state s;

    s -> s : at(pos);
}
",
    right: "\
action at(Int);

process Ring {
    var pos: 0..4;
    init state s;

    s -> s : at(pos);
}
",
};

impl EmptyRange {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (low, high) = (&self.low, &self.high);
        let diagnostic =
            Diagnostic::new(entry, self.span, format!("the range `{low}..{high}` holds no value"))
                .label("empty")
                .note("a range ends just before its upper bound: `0..4` holds 0, 1, 2 and 3");
        match (low.parse::<i128>(), high.parse::<i128>()) {
            (Ok(from), Ok(to)) if to < from => {
                diagnostic.did_you_mean(self.span, Some(&format!("{high}..{low}")))
            }
            _ => diagnostic,
        }
    }
}
