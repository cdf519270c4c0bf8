//! `T0192`: fixpoint under a negation.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A fixpoint that says the opposite of itself.
#[derive(Clone, Debug)]
pub struct NotMonotone {
    /// Where it is named.
    pub span: Span,
    /// Its name.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0192",
    title: "fixpoint under a negation",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`mu X . f` is the least set of configurations that `f` makes of itself, and `nu X . f` the
greatest. There is such a set only where more of `X` makes more of `f`: `X` must stand under
an even number of negations, and the premise of `=>` is one.
",
    wrong: "\
action a;

process P {
    init state s;

    s -> s : a;
}

check holds(P, nu X . not [a] «X»);
",
    right: "\
action a;

process P {
    init state s;

    s -> s : a;
}

check holds(P, nu X . <a> X);
",
};

impl NotMonotone {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("`{}` stands under a negation of itself", self.name))
            .label("an odd number of negations stands between this and its declaration")
            .note("negate the other parts instead: `not [a] f` is `<a> not f`")
    }
}
