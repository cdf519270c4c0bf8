//! `T0122`: assignment to something that does not change.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An assignment to something that is no variable of the process.
#[derive(Clone, Debug)]
pub struct NotAssignable {
    /// The target.
    pub span: Span,
    /// The target.
    pub name: String,
    /// What it is: `a parameter`, `an input`.
    pub what: String,
    /// Where it is declared.
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0122",
    title: "assignment to something that does not change",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
After `do`, the variables of the process get new values. Parameters and constants
are fixed, and inputs are the values that were received in this very step: none of
them can be assigned to.

Declare a variable with `var`, and start it with the parameter if need be:
`var left: Int = max;`.
",
    wrong: "\
action tick, reset;

process Counter<max: Int> {
    var n: Int = 0;
    init state s;

    s -> s : tick  when n < max do n := n + 1;
    s -> s : reset              do «max» := 0;
}
",
    right: "\
action tick, reset;

process Counter<max: Int> {
    var n: Int = 0;
    init state s;

    s -> s : tick  when n < max do n := n + 1;
    s -> s : reset              do n := 0;
}
",
};

impl NotAssignable {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, what) = (&self.name, &self.what);
        let diagnostic = Diagnostic::new(
            entry,
            self.span,
            format!("`{name}` is {what} and cannot be assigned to"),
        )
        .label(format!("{what}, which does not change"))
        .note("only variables of the process, declared with `var`, can be assigned to");
        match self.declared {
            Some(place) => diagnostic.also(place, format!("`{name}` is declared here")),
            None => diagnostic,
        }
    }
}
