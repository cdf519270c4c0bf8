//! `P0009`: comparisons in a row.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Two comparisons in a row, without `and` between them.
#[derive(Clone, Debug)]
pub struct ChainedComparison {
    /// The second sign.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0009",
    title: "comparisons in a row",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
In mathematics `0 <= x < 4` means that both comparisons hold. Here a comparison
has exactly two sides, and its result is true or false, which cannot be compared
with a number again.

Write both comparisons out, with `and` between them.
",
    wrong: "\
action at(Int);

process Ring {
    var x: Int = 0;
    init state s;

    s -> s : at(x) when x < 4 do x := x + 1;
    s -> s : at(x) when 4 <= x «<» 8;
}
",
    right: "\
action at(Int);

process Ring {
    var x: Int = 0;
    init state s;

    s -> s : at(x) when x < 4            do x := x + 1;
    s -> s : at(x) when 4 <= x and x < 8;
}
",
};

impl ChainedComparison {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "comparisons cannot follow each other")
            .label("a second comparison")
            .note("join two comparisons with `and`: write `a <= b and b < c`")
    }
}
