//! `T0136`: proof of another kind.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A relation where an invariant is wanted, or the like.
#[derive(Clone, Debug)]
pub struct WrongProof {
    /// The name after `by`.
    pub span: Span,
    /// The name.
    pub name: String,
    /// Whether an invariant is wanted; else a relation is.
    pub invariant: bool,
    /// What it is.
    pub found: &'static str,
    /// The check.
    pub check: &'static str,
    /// Where it is declared.
    pub declared: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0136",
    title: "proof of another kind",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`by` after a check names what proves it. Checks that compare two systems are
proved by a `relation` between their states; `always`, `reaches` and
`deadlock_free` are about what one system can reach, and are settled by an
`invariant` of it. All of these can be found out part by part as a `reduction`
of a net says that the check is about.
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

check deadlock_free(Clock) by «Same»;
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

invariant Same of Clock {
    Clock in s;
}

check deadlock_free(Clock) by Same;
",
};

impl WrongProof {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let Self { name, check, found, .. } = self;
        let wanted = if self.invariant { "an invariant" } else { "a relation" };
        let message = format!("`{check}` is proved by {wanted}, and `{name}` is {found}");
        let write = match self.invariant {
            true => format!(
                "declare what holds in all configurations as `invariant {name} of … {{ … }}`, or remove `by {name}`"
            ),
            false => format!(
                "declare which states belong together as `relation {name}(…, …) {{ … }}`, or remove `by {name}`: then one \
                 is looked for"
            ),
        };
        Diagnostic::new(entry, self.span, message)
            .label(format!("expected {wanted}"))
            .also(self.declared, "declared here")
            .note(write)
    }
}
