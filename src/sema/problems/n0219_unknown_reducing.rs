//! `N0219`: unknown word in a reduction.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A word in a reduction that means nothing there.
#[derive(Clone, Debug)]
pub struct UnknownReducing {
    /// The word.
    pub span: Span,
    /// The word.
    pub name: String,
    /// The word that was probably meant.
    pub similar: Option<String>,
    /// The words that would do.
    pub known: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0219",
    title: "unknown word in a reduction",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A reduction says how the system of a net is made part by part. Its statements are

  restrict P by Q, R;      P is made only as far as Q and R allow
  leaf strong;             what parts are reduced by, before they are composed
  compose P, Q first;      these are composed before the others
  root dpbranching;        what the result preserves

and the relations, from fine to coarse, `strong`, `dpbranching`, `branching`,
`weak`, `safety`, `trace` and `weak_trace`.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Two {
    sub A = Clock;
    sub B = Clock;

    <A: tick, B: tick> -> tick;
}

reduction Small of Two {
    root «strnog»;
}

check deadlock_free(Two) by Small;
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Two {
    sub A = Clock;
    sub B = Clock;

    <A: tick, B: tick> -> tick;
}

reduction Small of Two {
    root strong;
}

check deadlock_free(Two) by Small;
",
};

impl UnknownReducing {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("a reduction knows no word `{name}` here"))
            .label("unknown word")
            .note(format!("one of {} is expected", list(&self.known, "and")))
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
