//! `W0312`: guard that is always the same.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A guard that is always true or always false.
#[derive(Clone, Debug)]
pub struct ConstantGuard {
    /// The guard.
    pub span: Span,
    /// What it always is.
    pub value: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0312",
    title: "guard that is always the same",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
The guard does not depend on anything that changes. If it is always true it can be
left out; if it is always false, the transition or vector never happens, and what
waits for it waits for ever.

Look for a comparison of two constants, or of a thing with itself.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick when «1 < 2»;
}
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}
",
};

impl ConstantGuard {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        if self.value {
            Diagnostic::new(entry, self.span, "this guard is always true")
                .label("always true")
                .note("leave it out, or test something that can change")
        } else {
            Diagnostic::new(entry, self.span, "this guard is never true")
                .label("always false")
                .note("what it guards can never happen: correct the guard, or remove the whole")
        }
    }
}
