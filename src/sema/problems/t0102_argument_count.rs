//! `T0102`: wrong number of arguments.

use super::count;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A function or constructor applied to too many or too few arguments.
#[derive(Clone, Debug)]
pub struct ArgumentCount {
    /// The application.
    pub span: Span,
    /// The name.
    pub name: String,
    /// What it is: `function`, `constructor`.
    pub what: String,
    /// How many arguments it takes.
    pub expected: usize,
    /// How many are given.
    pub found: usize,
    /// Where it is declared.
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0102",
    title: "wrong number of arguments",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A function or constructor is always applied to as many arguments as its
declaration lists. There are no optional arguments and there is no partial
application.

In a pattern, write `_` for each field that does not matter: `m is Pkt(_, _)`.
",
    wrong: "\
data Msg { Ping, Pkt(seq: Int) }

const FIRST: Msg = «Pkt»;
",
    right: "\
data Msg { Ping, Pkt(seq: Int) }

const FIRST: Msg = Pkt(0);
",
};

impl ArgumentCount {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (what, name) = (&self.what, &self.name);
        let takes = count(self.expected, "argument");
        let diagnostic =
            Diagnostic::new(entry, self.span, format!("the {what} `{name}` takes {takes}"))
                .label(format!("has {} here", count(self.found, "argument")));
        let diagnostic = match self.declared {
            Some(place) => diagnostic.also(place, format!("declared with {takes}")),
            None => diagnostic,
        };
        if self.found < self.expected {
            diagnostic
                .note("give all arguments; in a pattern, write `_` for those that do not matter")
        } else {
            diagnostic.note("remove the arguments that are too many")
        }
    }
}
