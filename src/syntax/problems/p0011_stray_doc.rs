//! `P0011`: doc comment that documents nothing.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A doc comment with nothing after it that it could belong to.
#[derive(Clone, Debug)]
pub struct StrayDoc {
    /// The comment.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0011",
    title: "doc comment that documents nothing",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A comment with three slashes, `///`, documents what follows it: an item, or a
statement in a block. It is shown by editors wherever that name is used. Here
nothing follows that it could belong to, so nobody would ever see it.

Move it before what it describes, or write it with two slashes.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

«/// A slower clock is still to be done.»
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

// A slower clock is still to be done.
",
};

impl StrayDoc {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let mark = Span::new(self.span.start, (self.span.start + 3).min(self.span.end));
        Diagnostic::new(entry, self.span, "this doc comment documents nothing")
            .label("nothing follows that it could belong to")
            .note("put it before an item or a statement, or make it an ordinary comment")
            .suggest("make it an ordinary comment", mark, "//")
    }
}
