//! `T0135`: initial value that is made of a variable without one.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An initial value that names a variable which has no value by then.
#[derive(Clone, Debug)]
pub struct UnsettledInitial {
    /// The name.
    pub span: Span,
    /// The variable.
    pub name: String,
    /// Where it is declared.
    pub declared: Span,
    /// Whether it comes later, or is the variable itself.
    pub later: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0135",
    title: "initial value made of a variable without one",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The initial value of a variable can be made of constants, parameters, and variables that
are declared before it and have initial values themselves. A variable without an initial
value begins with any value, and one that is declared later has none yet.
",
    wrong: "\
action show(Int);

process Counter {
    var step: Int;
    var next: Int = «step» + 1;
    init state s;

    s -> s : show(next) when step > 0;
}
",
    right: "\
action show(Int);

process Counter {
    var step: Int = 1;
    var next: Int = step + 1;
    init state s;

    s -> s : show(next) when step > 0;
}
",
};

impl UnsettledInitial {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let (label, note) = match self.later {
            true => ("has no value yet", "declare it before, or give the value by itself"),
            false => ("begins with any value", "give it an initial value, or a parameter instead"),
        };
        Diagnostic::new(entry, self.span, format!("`{name}` has no value for this to begin with"))
            .label(label)
            .also(self.declared, "declared here")
            .note(note)
    }
}
