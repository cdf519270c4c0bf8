//! `N0204`: action with another number of arguments.

use super::count;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An action that is declared, but with other numbers of arguments.
#[derive(Clone, Debug)]
pub struct WrongArity {
    /// The action.
    pub span: Span,
    /// The action's name.
    pub name: String,
    /// How many arguments it has here.
    pub given: usize,
    /// The numbers of arguments it is declared with, and where.
    pub declared: Vec<(usize, Span)>,
    /// Whether it is what a vector or connector shows, and the values that could be shown.
    pub shown: Option<Vec<String>>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0204",
    title: "action with another number of arguments",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
An action is its name together with the number of its arguments: `set`, `set(Int)`
and `set(Int, Int)` are three different actions, which never synchronise with each
other. This one is declared, but not with as many arguments as are given here.

Where the value of an argument does not matter, write `_` for it. If the form that
is used here is wanted as well, declare it too.
",
    wrong: "\
action set(Int);

process Cell {
    init state s;

    s -> s : set(1);
    s -> s : «set»;
}
",
    right: "\
action set(Int);

process Cell {
    init state s;

    s -> s : set(1);
    s -> s : set(_);
}
",
};

impl WrongArity {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let given = match self.given {
            0 => "without arguments".to_owned(),
            given => format!("with {}", count(given, "argument")),
        };
        let message = format!("the action `{name}` is not declared {given}");
        let diagnostic =
            Diagnostic::new(entry, self.span, message).label(format!("used {given} here"));
        let diagnostic = self.declared.iter().fold(diagnostic, |diagnostic, (arity, place)| {
            diagnostic.also(*place, format!("declared with {}", count(*arity, "argument")))
        });
        let too_few = self.declared.iter().any(|(arity, _)| *arity > self.given);
        let diagnostic = diagnostic.note(if too_few && self.shown.is_some() {
            "what is seen from outside carries values: name them in the members, as in `<P: put(v)> -> seen(v)`"
        } else if too_few {
            "the same name with another number of arguments is another action; \
             write `_` for an argument that does not matter"
        } else {
            "the same name with another number of arguments is another action, \
             with a declaration of its own"
        });
        match (self.given, self.declared.as_slice()) {
            (0, [(arity, _)]) if self.shown.as_ref().is_some_and(|names| names.len() == *arity) => {
                let all = self.shown.iter().flatten().cloned().collect::<Vec<_>>().join(", ");
                let message = format!("write `{name}({all})`");
                diagnostic.suggest(message, self.span.after(), format!("({all})"))
            }
            (0, [(arity, _)]) if *arity > 0 && self.shown.is_none() => {
                let all = vec!["_"; *arity].join(", ");
                let message = format!("write `{name}({all})` to allow any value");
                diagnostic.suggest(message, self.span.after(), format!("({all})"))
            }
            _ => diagnostic,
        }
    }
}
