//! `L0002`: comment that is never closed.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A `/*` whose `*/` is missing.
#[derive(Clone, Debug)]
pub struct UnclosedComment {
    /// The `/*`.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "L0002",
    title: "comment that is never closed",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A comment that starts with `/*` goes on to its `*/`. Here the file ends first, so
everything after this place was taken for comment.

Comments of this kind nest, so that a piece of a model that has comments in it can
be commented out as a whole: every `/*` inside needs a `*/` of its own. A comment
that starts with `//` ends with its line and needs nothing to close it.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

«/*» the slow clock /* still to be done */
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

/* the slow clock /* still to be done */ */
",
};

impl UnclosedComment {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "this comment is never closed")
            .label("starts here, and goes on to the end of the file")
            .note("close it with `*/`; comments nest, so each `/*` inside needs its own `*/`")
    }
}
