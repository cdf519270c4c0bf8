//! `A0202`: form that is not recognised for every size.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

use super::super::recognise::WhyOutside;

/// A text of which it is not known whether all sizes share what it comes to.
#[derive(Clone, Debug)]
pub struct OutsideForms {
    /// The text.
    pub span: Span,
    /// What would be recognised.
    pub why: WhyOutside,
}

pub(super) const ENTRY: Entry = Entry {
    code: "A0202",
    title: "form that is not recognised for every size",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A proof for every size needs a shape that all sizes share. What depends on an index or
on the size may do so in some forms only: members at `S[i]`, `S[i + 1]`,
`S[(i + 1) mod n]`, `S[0]` and `S[n - 1]`, with one `for` variable of symbolic range at
a time; all members at once, or pairs of any members; indices that are compared with
numbers and with `n - 1`, taken modulo a number, or sent as data; members that data
choose; and in properties what is said of such members, or of how many there are.

The text that is underlined has another form, so the check stays unknown. Single sizes can
always be checked: `pnet verify --set n=5`.
",
    wrong: "\
const n: Int;
axiom n >= 2;
action beat, tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Row {
    sub C[i: 0..n] = Clock;

    <C[i]: tick, C[«(2 * i) mod n»]: tick> -> beat for i in 1..n;
}

check deadlock_free(Row);
",
    right: "\
const n: Int;
axiom n >= 2;
action beat, tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Row {
    sub C[i: 0..n] = Clock;

    <C[i]: tick, C[(i + 1) mod n]: tick> -> beat for i in 0..n;
}

check deadlock_free(Row);
",
};

impl OutsideForms {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "this is of no form that all sizes are known to share")
            .label("not recognised")
            .note(self.why.to_string())
    }
}
