//! `N0203`: unknown action.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An action that nobody has declared.
#[derive(Clone, Debug)]
pub struct UnknownAction {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The action that was probably meant.
    pub similar: Option<String>,
    /// What is written here for what other languages call so.
    pub meant: Option<&'static str>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0203",
    title: "unknown action",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Every action is declared, with the sorts of its arguments:
`action tick, set(Int);`. Components synchronise by the names of their actions, so
a mistyped name would otherwise be a new action that nobody ever answers: the
component would silently be stuck there. That is why it is an error.

Correct the name, or declare the action. In a vector, `?a` with the question mark
stands for any action at all.
",
    wrong: "\
action start, stop;

process Motor {
    init state off;
    state on;

    off -> on  : start;
    on  -> off : stop;
    off -> off : «stpo»;
}
",
    right: "\
action start, stop;

process Motor {
    init state off;
    state on;

    off -> on  : start;
    on  -> off : stop;
    off -> off : stop;
}
",
};

impl UnknownAction {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let note = match self.meant {
            Some(meant) => meant.to_owned(),
            None => format!(
                "a new action is declared with `action {name};`, with the sorts of any arguments"
            ),
        };
        Diagnostic::new(entry, self.span, format!("unknown action `{name}`"))
            .label("no action of this name")
            .note(note)
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
