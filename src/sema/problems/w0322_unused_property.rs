//! `W0322`: property that nothing uses.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A property of which nobody has asked anything.
#[derive(Clone, Debug)]
pub struct UnusedProperty {
    /// Its name.
    pub span: Span,
    /// The same.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0322",
    title: "property that nothing uses",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A `property` is a name for a formula. It belongs to no net: what its names mean is known when
a check asks whether it holds of one. No check of this model does, so that nobody has looked
at what it says, and a mistake in it would not be found.

Ask whether it holds, with `check holds(NET, NAME);`, or remove it. A file without any checks,
which others import, may have properties that it does not use.
",
    wrong: "\
action a;

process P {
    init state s;

    s -> s : a;
}

property «Often» = A[G F a];

check deadlock_free(P);
",
    right: "\
action a;

process P {
    init state s;

    s -> s : a;
}

property Often = A[G F a];

check holds(P, Often);
",
};

impl UnusedProperty {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("no check uses the property `{}`", self.name))
            .label("nobody has looked at what it says")
            .note(format!("ask whether it holds: `check holds(NET, {});`", self.name))
    }
}
