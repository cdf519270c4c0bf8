//! `N0217`: name of another kind of thing.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A name that is known, but stands for another kind of thing than is wanted.
#[derive(Clone, Debug)]
pub struct WrongKind {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// What it stands for: `a process`, `an action`.
    pub found: String,
    /// What is wanted: `a sort`.
    pub wanted: String,
    /// Where it is declared.
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0217",
    title: "name of another kind of thing",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The name is known, but what it stands for cannot be used here. Sorts say which
values there are; actions are what components do; processes and nets are the
components; interfaces say what may fill a hole.

Perhaps two things have similar names, or the right thing is still to be declared.
",
    wrong: "\
action tick, ring(«Clock»);

process Clock {
    init state s;

    s -> s : tick;
    s -> s : ring(_);
}
",
    right: "\
action tick, ring(Int);

process Clock {
    init state s;

    s -> s : tick;
    s -> s : ring(_);
}
",
};

impl WrongKind {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, found, wanted) = (&self.name, &self.found, &self.wanted);
        let message = format!("`{name}` is {found}, but {wanted} is wanted here");
        let diagnostic =
            Diagnostic::new(entry, self.span, message).label(format!("expected {wanted}"));
        let diagnostic = if found == "an action" && wanted == "an interface" {
            diagnostic.note("write a set of actions between braces").suggest(
                format!("write `{{ {name} }}`"),
                self.span,
                format!("{{ {name} }}"),
            )
        } else {
            diagnostic.note(format!("use the name of {wanted} here, or declare one"))
        };
        match self.declared {
            Some(place) => diagnostic.also(place, format!("declared here as {found}")),
            None => diagnostic,
        }
    }
}
