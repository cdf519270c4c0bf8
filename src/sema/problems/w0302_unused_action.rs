//! `W0302`: action that is never used.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An action that nothing in the model does.
#[derive(Clone, Debug)]
pub struct UnusedAction {
    /// The action's name.
    pub span: Span,
    /// The action.
    pub name: String,
    /// An action that is nearly the same, and is used.
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0302",
    title: "action that is never used",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
The action is declared, but no transition, vector or connector mentions it.
Perhaps something is still missing from the model, or another action of a similar
name is used where this one was meant.
",
    wrong: "\
action tick, «tock»;

process Clock {
    init state s;

    s -> s : tick;
}
",
    right: "\
action tick, tock;

process Clock {
    init state s;

    s -> s : tick;
    s -> s : tock;
}
",
};

impl UnusedAction {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let diagnostic =
            Diagnostic::new(entry, self.span, format!("the action `{name}` is never used"))
                .label("no transition, vector or connector mentions it");
        match &self.similar {
            Some(similar) if similar != name => diagnostic.note(format!(
                "the similar action `{similar}` is used: is one of the two names mistyped?"
            )),
            Some(_) => diagnostic.note(format!(
                "`{name}` is used with another number of arguments, which is another action"
            )),
            None => diagnostic.note("remove the declaration, or use the action"),
        }
    }
}
