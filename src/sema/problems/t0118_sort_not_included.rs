//! `T0118`: component that does not fit the hole.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A component that can do something the hole does not allow.
#[derive(Clone, Debug)]
pub struct SortNotIncluded {
    /// The component that fills the hole.
    pub span: Span,
    /// The hole.
    pub hole: String,
    /// The hole's interface.
    pub interface: String,
    /// The actions that the hole does not allow.
    pub extra: Vec<String>,
    /// Where the hole is declared.
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0118",
    title: "component that does not fit the hole",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The interface of a hole lists all actions that the net around it is prepared for.
What fills the hole may do fewer things, but nothing else: the net has no vector
for another action, so it would silently be blocked.

Add the action to the interface, if the net can deal with it; or hide or rename it
first, by a net around the component; or declare the hole as `any`.
",
    wrong: "\
action go, rest;

interface Runner { go }

process Walker {
    init state s;

    s -> s : go;
    s -> s : rest;
}

net Race(R: Runner) {
    <R: go> -> go;
}

net Stroll = Race(«Walker»);
",
    right: "\
action go, rest;

interface Runner { go, rest }

process Walker {
    init state s;

    s -> s : go;
    s -> s : rest;
}

net Race(R: Runner) {
    <R: go>   -> go;
    <R: rest> -> rest;
}

net Stroll = Race(Walker);
",
};

impl SortNotIncluded {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (hole, interface) = (&self.hole, &self.interface);
        let extra = list(&self.extra, "and");
        let message = format!("this does not fit the hole `{hole}`: it can also do {extra}");
        let diagnostic = Diagnostic::new(entry, self.span, message)
            .label(format!("can do {extra}, which `{interface}` does not list"))
            .note(format!(
                "add {extra} to `{interface}` and let it through in the net, or hide it first"
            ));
        match self.declared {
            Some(place) => {
                diagnostic.also(place, format!("only actions of `{interface}` are allowed here"))
            }
            None => diagnostic,
        }
    }
}
