//! `L0003`: back-quotes that do not make a name.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A back-quote without its partner, or back-quotes around something that is no name.
#[derive(Clone, Debug)]
pub struct UnclosedRawName {
    /// The back-quote, or the whole from back-quote to back-quote.
    pub span: Span,
    /// Whether there are two back-quotes, with something between them that is no name.
    pub closed: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "L0003",
    title: "back-quotes that do not make a name",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Back-quotes make a name of a word that would otherwise be a keyword, and of any
other text: `` `check` `` and `` `send !1` `` are ordinary names. Both back-quotes
have to stand on the same line. What stands between them has no space at its ends,
and none of the signs that paths, indices and instances are written with:
`.`, `[`, `]`, `<` and `>`.

Write the second back-quote, or leave both out: a name of letters, digits and `_`
that is not a keyword does not need them.
",
    wrong: "\
action `check`, «`»tick;

process Clock {
    init state s;

    s -> s : tick;
    s -> s : `check`;
}
",
    right: "\
action `check`, tick;

process Clock {
    init state s;

    s -> s : tick;
    s -> s : `check`;
}
",
};

impl UnclosedRawName {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        if self.closed {
            Diagnostic::new(entry, self.span, "what stands between these back-quotes is no name")
                .label("not a name")
                .note(
                    "a name has no space at its ends, and none of the signs `.`, `[`, `]`, `<` and `>`",
                )
        } else {
            Diagnostic::new(entry, self.span, "this back-quote has no partner")
                .label("no second back-quote on this line")
                .note("only keywords, and names with other signs, need back-quotes, one on each side")
                .suggest("remove it", self.span, "")
        }
    }
}
