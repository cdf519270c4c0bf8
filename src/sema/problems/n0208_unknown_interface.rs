//! `N0208`: unknown interface.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An interface that nobody has declared.
#[derive(Clone, Debug)]
pub struct UnknownInterface {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The interface that was probably meant.
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0208",
    title: "unknown interface",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
After the colon of a hole stands what may fill it: an interface, that is a set of
actions with a name, or `any` for every component whatever its actions are. There
is no interface of this name.

Processes and nets are no interfaces: a hole says what a component can do, not
which one it is. To use one particular component, write `sub` inside the net.
",
    wrong: "\
action go;

interface Runner { go }

net Race(Left: Runner, Right: «Runer») {
    <Left: go, Right: go> -> go;
}
",
    right: "\
action go;

interface Runner { go }

net Race(Left: Runner, Right: Runner) {
    <Left: go, Right: go> -> go;
}
",
};

impl UnknownInterface {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("unknown interface `{name}`"))
            .label("no interface of this name")
            .note(format!(
                "a new interface is declared with `interface {name} {{ … }}`; \
                 `any` allows every component"
            ))
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
