//! `W0310`: parameter that is never used.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A parameter that nothing uses.
#[derive(Clone, Debug)]
pub struct UnusedParameter {
    /// The parameter.
    pub span: Span,
    /// The parameter.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0310",
    title: "parameter that is never used",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
The parameter is declared, and every use has to give a value for it, but nothing
depends on that value.

Remove it, also where the component or function is used, or use it where it was
meant to be used.
",
    wrong: "\
action tick;

process Clock<«max»: Int> {
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

impl UnusedParameter {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("the parameter `{}` is never used", self.name))
            .label("nothing depends on this")
            .note("remove it here and where values are given for it, or use it")
    }
}
