//! `T0124`: check with the wrong arguments.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A check that asks about the wrong number or kind of things.
#[derive(Clone, Debug)]
pub struct CheckArguments {
    /// The check's name.
    pub span: Span,
    /// The check.
    pub check: String,
    /// What it is about, in words: `two nets`.
    pub wants: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0124",
    title: "check with the wrong arguments",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Each kind of check is about certain things. `bisimilar`, `weakly_bisimilar`,
`refines` and `weakly_refines` compare two systems; `deadlock_free`,
`nonblocking`, `deterministic`, `terminates` and `size` are about one; `always`
and `reaches` are about one system and a property of its states, `mutex` and
`at_most` about one system and members in states, `live` about one system and an
action.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

check «bisimilar»(Clock);
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

check bisimilar(Clock, Clock);
",
};

impl CheckArguments {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (check, wants) = (&self.check, &self.wants);
        Diagnostic::new(entry, self.span, format!("`{check}` expects {wants}"))
            .label("has something else here")
            .note("comparisons and relations are about two nets, all other checks about one")
    }
}
