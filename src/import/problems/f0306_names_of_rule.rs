//! `F0306`: rules used with another number of names than they have.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A part with too many or too few names.
#[derive(Clone, Debug)]
pub struct NamesOfRule {
    /// The use.
    pub span: Span,
    /// The rules.
    pub name: String,
    /// How many names they have, before and behind `/`.
    pub has: (usize, usize),
    /// How many are given.
    pub given: (usize, usize),
    /// Where the rules are.
    pub declared: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0306",
    title: "rules used with another number of names",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A part of a rule gives as many names as the rules of the part have parameters; where the
parameters are in two groups, with `/` between them, so are the names that are given.
Add the names that are missing, or leave out those that are too many.
",
    wrong: "Ring() := [r] _let_ x, y _in_ (y.send x.recv) («Last(x)»);\n\
            Last(x, y) := [l] (x.send y.recv) (x : station, y : holder);\n",
    right: "Ring() := [r] _let_ x, y _in_ (y.send x.recv) (Last(x, y));\n\
            Last(x, y) := [l] (x.send y.recv) (x : station, y : holder);\n",
};

fn many((first, second): (usize, usize)) -> String {
    match second {
        0 => first.to_string(),
        _ => format!("{first} / {second}"),
    }
}

impl NamesOfRule {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, has, given) = (&self.name, many(self.has), many(self.given));
        let message = format!("the rules of `{name}` have {has} names, and {given} are given");
        Diagnostic::new(entry, self.span, message).also(self.declared, "the rules are here")
    }
}
