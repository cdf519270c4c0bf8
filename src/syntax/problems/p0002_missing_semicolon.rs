//! `P0002`: missing semicolon.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A statement without the `;` that ends it.
#[derive(Clone, Debug)]
pub struct MissingSemicolon {
    /// Where the `;` is to be inserted.
    pub span: Span,
    /// What came instead.
    pub next: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0002",
    title: "missing semicolon",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Every declaration, transition, vector and connector ends in `;`. Line breaks mean
nothing: without the `;` a statement goes on in the next line, where it soon makes
no sense any more.

Only blocks, which end in `}`, need no `;` after them.
",
    wrong: "\
action tick;

process Clock {
    init state even;
    state odd;

    even -> odd  : tick;
    odd  -> even : tick«»
}
",
    right: "\
action tick;

process Clock {
    init state even;
    state odd;

    even -> odd  : tick;
    odd  -> even : tick;
}
",
};

impl MissingSemicolon {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let at_end = self.next.start == self.next.end;
        let next = if at_end { "the file ends here" } else { "the statement cannot go on with this" };
        Diagnostic::new(entry, self.span, "a `;` is missing at the end of this statement")
            .label("expected `;`")
            .also(self.next, next)
            .note("every statement ends in `;`, also the last one of a block")
            .suggest("add the `;`", self.span, ";")
    }
}
