//! `W0306`: variable that is never read.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A variable that is assigned but never read.
#[derive(Clone, Debug)]
pub struct NeverRead {
    /// The assignment's target.
    pub span: Span,
    /// The variable.
    pub name: String,
    /// Where the variable is declared.
    pub variable: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0306",
    title: "variable that is never read",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
The variable gets values, but no guard, no action, no other assignment, and no check
or invariant of this model looks at them. So it has no influence on what the process
does, while every value it can have makes one more state to look at.

Remove it, or use its value where it was meant to be used. A variable that is there
only for checks on the command line can have a name that begins with `_`.
",
    wrong: "\
action set(Int);

process Cell {
    var last: Int = 0;
    init state s;

    s -> s : set(?x) do «last» := x;
}
",
    right: "\
action set(Int);

process Cell {
    var last: Int = 0;
    init state s;

    s -> s : set(?x) when x > last do last := x;
}
",
};

impl NeverRead {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("`{name}` is assigned, but never read"))
            .label("this value is never used")
            .also(self.variable, format!("`{name}` is declared here"))
            .note("remove the variable and its assignments, or use it in a guard or an action")
    }
}
