//! `W0313`: the same again.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A transition or vector that is exactly the same as an earlier one.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// The second one.
    pub span: Span,
    /// What it is: `vector`, `transition`.
    pub what: String,
    /// The first one.
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0313",
    title: "the same again",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
Exactly the same transition, vector or connector is written twice. The second adds
nothing: what can happen is a set of possibilities. Often one of the two was meant
to be changed after it was copied.
",
    wrong: "\
action tick;

process Clock {
    init state even;
    state odd;

    even -> odd  : tick;
    odd  -> even : tick;
    «odd  -> even : tick»;
}
",
    right: "\
action tick;

process Clock {
    init state even;
    state odd;

    even -> odd  : tick;
    odd  -> even : tick;
}
",
};

impl Repeated {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let what = &self.what;
        Diagnostic::new(entry, self.span, format!("this {what} is written twice"))
            .label("adds nothing")
            .also(self.first, "exactly the same")
            .note("remove it, or change what was meant to be different")
    }
}
