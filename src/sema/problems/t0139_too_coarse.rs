//! `T0139`: reduction that forgets what a check asks about.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A reduction whose relation does not preserve what a check is about.
#[derive(Clone, Debug)]
pub struct TooCoarse {
    /// The name after `by`.
    pub span: Span,
    /// The reduction.
    pub name: String,
    /// What it is to settle: a check, or the relation of the root.
    pub check: String,
    /// What says its relation: `root` or `leaf`.
    pub word: &'static str,
    /// The relation.
    pub found: &'static str,
    /// The relation that would do.
    pub needed: &'static str,
    /// Where the reduction says so.
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0139",
    title: "reduction that forgets what a check asks about",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
What is found out about a reduced system holds of the net only as far as the
relation preserves it. `strong` preserves everything. `dpbranching` preserves
deadlocks; `branching` and `weak` do not, since they forget whether a system that
does nothing more is stuck or goes on silently for ever. `safety`, `trace` and
`weak_trace` preserve only what can happen, and not what must. What parts are
reduced by (`leaf`) counts as much as what the result is reduced by (`root`): what
a part has forgotten, the whole does not know any more.
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
    root weak;
}

check deadlock_free(Two) by «Small»;
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
    root dpbranching;
}

check deadlock_free(Two) by Small;
",
};

impl TooCoarse {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let Self { name, check, word, found, needed, .. } = self;
        let (message, place) = match *word {
            "leaf" => (
                format!("`{name}` reduces its parts by `{found}`, which is not enough for `{check}`"),
                "here",
            ),
            _ => (
                format!("`{name}` preserves `{found}`, which does not settle `{check}`"),
                "what the result preserves",
            ),
        };
        let shown = Diagnostic::new(entry, self.span, message).label("forgets too much");
        let shown = match self.declared {
            Some(declared) => shown.also(declared, place),
            None => shown,
        };
        shown.note(format!(
            "write `{word} {needed};`, or leave it out: then it is chosen by the check"
        ))
    }
}
