//! `T0125`: action where a value is wanted.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An action in an expression that wants data.
#[derive(Clone, Debug)]
pub struct ActionAsData {
    /// The action.
    pub span: Span,
    /// The action's name.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0125",
    title: "action where a value is wanted",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Actions are what components do; they are not data. They cannot be stored in a
variable, passed as an argument of another action, or be used in calculations.

To tell several cases apart in data, declare them: `enum Event { Start, Stop }`.
",
    wrong: "\
action tick, set(Int);

process Cell {
    init state s;

    s -> s : tick;
    s -> s : set(«tick»);
}
",
    right: "\
action tick, set(Int);

process Cell {
    init state s;

    s -> s : tick;
    s -> s : set(1);
}
",
};

impl ActionAsData {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("the action `{name}` cannot be used as a value"))
            .label("an action, where data is wanted")
            .note("use a variable, a number or a constructor; name cases in data with `enum`")
    }
}
