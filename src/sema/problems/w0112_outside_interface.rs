//! `W0112`: action that the hole's interface excludes.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A vector or connector that asks a hole for an action outside of its interface.
#[derive(Clone, Debug)]
pub struct OutsideInterface {
    /// The action.
    pub span: Span,
    /// The action.
    pub action: String,
    /// The hole.
    pub hole: String,
    /// The hole's interface.
    pub interface: String,
    /// Where the interface is declared.
    pub declared: Span,
    /// The action of the interface that was probably meant.
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0112",
    title: "action that the hole's interface excludes",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The interface of a hole lists everything that a component in it can do. This
vector or connector waits for something else, so it could never happen, whatever
fills the hole.

Correct the action, or add it to the interface.
",
    wrong: "\
action open, close, ring;

interface Door { open, close }
interface Bell { ring }

net House(D: Door, B: Bell) {
    <D: open, B: ring> -> open;
    <D: close>         -> close;
    <D: «ring»>          -> ring;
}
",
    right: "\
action open, close, ring;

interface Door { open, close }
interface Bell { ring }

net House(D: Door, B: Bell) {
    <D: open, B: ring> -> open;
    <D: close>         -> close;
    <B: ring>          -> ring;
}
",
};

impl OutsideInterface {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (action, hole, interface) = (&self.action, &self.hole, &self.interface);
        let message = format!("the hole `{hole}` can never do `{action}`");
        // Only the name is replaced, and nothing where `sync` or `co` stands before it.
        let name = action.split('(').next().unwrap_or(action);
        let head =
            Span::new(self.span.start, self.span.end.min(self.span.start + name.len() as u32));
        let similar = self.similar.as_deref().filter(|_| !name.contains(' '));
        Diagnostic::new(entry, self.span, message)
            .label(format!("not in the interface `{interface}`"))
            .also(self.declared, format!("`{interface}` does not list `{action}`"))
            .note(format!("add it to `{interface}`, or wait for an action that is listed there"))
            .did_you_mean(head, similar)
    }
}
