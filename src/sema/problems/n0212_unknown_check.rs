//! `N0212`: unknown kind of check.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A check of a kind that does not exist.
#[derive(Clone, Debug)]
pub struct UnknownCheck {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The kind of check that was probably meant.
    pub similar: Option<String>,
    /// The kinds of checks there are.
    pub known: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0212",
    title: "unknown kind of check",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
After `check` stands what is to be established: that two systems behave the same
(`bisimilar`, `weakly_bisimilar`), that one does nothing the other could not
(`refines`), that a system never gets stuck (`deadlock_free`, `nonblocking`), that
something holds in every state (`always`) or in some state (`reaches`), or how
large the system is (`size`). There is no check of this name.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

check «deadlockfree»(Clock);
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

check deadlock_free(Clock);
",
};

impl UnknownCheck {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("there is no check called `{}`", self.name))
            .label("unknown kind of check")
            .note(format!("the checks are {}", list(&self.known, "and")))
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
