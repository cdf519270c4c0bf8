//! `P0003`: bracket that is never closed.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An opening bracket without its closing one.
#[derive(Clone, Debug)]
pub struct UnclosedBracket {
    /// The opening bracket.
    pub span: Span,
    /// The opening bracket as text.
    pub open: String,
    /// The closing bracket that is missing.
    pub close: String,
    /// Where it became clear.
    pub noticed: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0003",
    title: "bracket that is never closed",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Each `(`, `[` and `{` needs its closing partner, in the right order. Two places
are shown: the bracket that stayed open, and the first place where it was clear
that it should have been closed before. The partner belongs somewhere between
them.

If the second place is far away, look at the indentation: the block that is open
too long is usually the one whose lines stand too far to the left.
",
    wrong: "\
action set(Int);

process Cell {
    init state low;
    state high;

    low  -> high : set(1);
    high -> low  : set«(»0;
}
",
    right: "\
action set(Int);

process Cell {
    init state low;
    state high;

    low  -> high : set(1);
    high -> low  : set(0);
}
",
};

impl UnclosedBracket {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (open, close) = (&self.open, &self.close);
        Diagnostic::new(entry, self.span, format!("this `{open}` is never closed"))
            .label(format!("needs a `{close}`"))
            .also(self.noticed, format!("expected `{close}` before this"))
            .note(format!("a `{close}` belongs somewhere between the two places"))
            .suggest(format!("close it with `{close}`"), self.noticed.before(), close)
    }
}
