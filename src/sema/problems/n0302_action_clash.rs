//! `N0302`: action declared with different sorts.

use super::count;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An action declared again with other argument sorts.
#[derive(Clone, Debug)]
pub struct ActionClash {
    /// The second declaration's name.
    pub span: Span,
    /// The action's name.
    pub name: String,
    /// The number of its arguments.
    pub arity: usize,
    /// Where it is declared first.
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0302",
    title: "action declared with different sorts",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
An action is its name together with the number of its arguments, in all files of a
program. It can be declared in several files, so that each can be read by itself,
but always with the same sorts: components that synchronise on it have to agree on
what is passed.

Make the sorts the same, or leave out the declaration if the action comes with an
import anyway. For a different action, take another name.
",
    wrong: "\
import std.buffers;

action «put»(Int);

net Store(Source: any) {
    sub B = OnePlace;

    <Source: put(x), B: put(x)> -> put(x);
    <B: get(x)>                 -> get(x);
}
",
    right: "\
import std.buffers;

net Store(Source: any) {
    sub B = OnePlace;

    <Source: put(x), B: put(x)> -> put(x);
    <B: get(x)>                 -> get(x);
}
",
};

impl ActionClash {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let arguments = count(self.arity, "argument");
        let message = format!("the action `{name}` with {arguments} has other sorts elsewhere");
        Diagnostic::new(entry, self.span, message)
            .label("declared again, with other sorts")
            .also(self.first, "declared here first")
            .note("an action with this name and number of arguments has the same sorts everywhere")
    }
}
