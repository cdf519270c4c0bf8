//! `N0211`: unknown relation or invariant.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A relation or an invariant that nobody has declared.
#[derive(Clone, Debug)]
pub struct UnknownRelation {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// What was probably meant.
    pub similar: Option<String>,
    /// Whether an invariant is wanted.
    pub invariant: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0211",
    title: "unknown relation or invariant",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`by R` after a check gives what is to be used as the proof. A comparison is proved
by a relation between the states of the two systems, declared with
`relation R(A, B) { … }`; an `always`, a `reaches` or a `deadlock_free` by an
invariant of the system, declared with `invariant I of S { … }`, or, where the data
are finite, by a system that is made part by part, which `reduction R of S { … }`
says how to do. There is none of this name.

Without `by`, the compiler looks for a proof itself.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

relation Same(Clock, Clock) {
    (s, s);
}

check weakly_bisimilar(Clock, Clock) by «Sane»;
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

relation Same(Clock, Clock) {
    (s, s);
}

check weakly_bisimilar(Clock, Clock) by Same;
",
};

impl UnknownRelation {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let (what, declared) = match self.invariant {
            true => ("invariant", format!("invariant {name} of … {{ … }}")),
            false => ("relation", format!("relation {name}(…, …) {{ … }}")),
        };
        Diagnostic::new(entry, self.span, format!("unknown {what} `{name}`"))
            .label(format!("no {what} of this name"))
            .note(format!(
                "a new {what} is declared with `{declared}`; without `by`, one is looked for"
            ))
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
