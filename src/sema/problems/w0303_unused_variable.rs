//! `W0303`: variable that is never used.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A variable, or an input, that nothing uses.
#[derive(Clone, Debug)]
pub struct UnusedVariable {
    /// The variable.
    pub span: Span,
    /// The variable.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0303",
    title: "variable that is never used",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
Nothing reads or assigns this variable. It has no influence on the behaviour, but
it makes the state space larger if it starts with any value.

Remove it, or use it where it was meant to be used. For an input whose value does
not matter, write `_` instead of `?x`.
",
    wrong: "\
action tick;

process Clock {
    var «hour»: Int = 0;
    init state s;

    s -> s : tick;
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

impl UnusedVariable {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("`{name}` is never used"))
            .label("nothing reads this")
            .note("remove it, or use it; where a value is received that does not matter, write `_`")
    }
}
