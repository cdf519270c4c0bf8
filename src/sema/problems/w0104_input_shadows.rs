//! `W0104`: input with the name of a variable.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An input that has the name of a variable or parameter.
#[derive(Clone, Debug)]
pub struct InputShadows {
    /// The input's name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// Where the variable or parameter is declared.
    pub variable: Span,
    /// What it is: `variable`, `parameter`.
    pub what: String,
    /// A name that nothing else has here.
    pub instead: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0104",
    title: "input with the name of a variable",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`?v` receives a value under a new name, for this transition only. It does not
store anything: if the process has a variable of the same name, a reader would
expect that it does, and the variable could not be used in this transition any
more.

Choose another name, and store the value with an assignment: `set(?x) do v := x`.
",
    wrong: "\
action set(Int), get(Int);

process Cell {
    var v: Int = 0;
    init state s;

    s -> s : get(v);
    s -> s : set(?«v») when v > 0;
}
",
    right: "\
action set(Int), get(Int);

process Cell {
    var v: Int = 0;
    init state s;

    s -> s : get(v);
    s -> s : set(?x) when x > 0 do v := x;
}
",
};

impl InputShadows {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, what) = (&self.name, &self.what);
        let message = format!("the input `{name}` has the name of a {what} of the process");
        let diagnostic = Diagnostic::new(entry, self.span, message)
            .label("a new name is wanted here")
            .also(self.variable, format!("the {what} `{name}`"));
        if what == "variable" {
            let new = &self.instead;
            diagnostic.note(format!(
                "to store what is received, write `?{new}` and `do {name} := {new}`"
            ))
        } else {
            diagnostic.note("give the input another name; to ask for a value, test it in the guard")
        }
    }
}
