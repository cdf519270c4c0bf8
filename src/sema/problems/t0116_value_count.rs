//! `T0116`: wrong number of value parameters.

use super::count;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A component used with too many or too few value parameters.
#[derive(Clone, Debug)]
pub struct ValueCount {
    /// The instance.
    pub span: Span,
    /// The component.
    pub name: String,
    /// How many value parameters it has.
    pub expected: usize,
    /// How many are given.
    pub found: usize,
    /// Where it is declared.
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0116",
    title: "wrong number of value parameters",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A process or net with value parameters, as `process Timer<max: Int>`, is used with
a value for each of them, in the same order: `Timer<10>`. They are fixed for each
use, so that one declaration serves for timers of every length.
",
    wrong: "\
action tick;

process Timer<max: Int> {
    var t: Int = 0;
    init state s;

    s -> s : tick when t < max do t := t + 1;
}

net System {
    sub T = «Timer<0, 10>»;

    <T: tick> -> tick;
}
",
    right: "\
action tick;

process Timer<max: Int> {
    var t: Int = 0;
    init state s;

    s -> s : tick when t < max do t := t + 1;
}

net System {
    sub T = Timer<10>;

    <T: tick> -> tick;
}
",
};

impl ValueCount {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let takes = count(self.expected, "value parameter");
        let given = count(self.found, "value");
        let diagnostic = Diagnostic::new(
            entry,
            self.span,
            format!("`{name}` has {takes}, but is given {given}"),
        )
        .label(format!("{given} here"));
        let diagnostic = match self.expected {
            0 => diagnostic.note(format!("write `{name}` without angle brackets")),
            _ => diagnostic.note("give a value for each parameter, in angle brackets: `Timer<10>`"),
        };
        match self.declared {
            Some(place) => diagnostic.also(place, format!("declared with {takes}")),
            None => diagnostic,
        }
    }
}
