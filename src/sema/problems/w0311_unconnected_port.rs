//! `W0311`: action that the net never lets through.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An action of a part that no vector or connector of the net lets through.
#[derive(Clone, Debug)]
pub struct UnconnectedPort {
    /// The part's name.
    pub span: Span,
    /// The action.
    pub action: String,
    /// The part.
    pub part: String,
    /// What the part is an instance of.
    pub component: String,
    /// Where the action is declared; nothing for `tau`.
    pub declared: Option<Span>,
    /// The vector that lets it through.
    pub vector: String,
    /// The net it belongs into, where it is another one.
    pub net: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0311",
    title: "action that the net never lets through",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A part of a net can only do what some vector or connector of the net allows. This
part has an action that none of them mentions, so it is blocked for ever: a part
of its behaviour is switched off, and if nothing else is possible then, the part
is stuck.

If that is the intention, as with restriction in CCS, allow this warning.
Otherwise add a vector; to let an action through as it is, write
`<P: tick> -> tick;`. Silent actions need one like all others, for nothing passes
by itself: `<P: tau> -> tau;`.
",
    wrong: "\
action tick, reset;

process Clock {
    init state s;

    s -> s : tick;
    s -> s : reset;
}

net System {
    sub «C» = Clock;

    <C: tick> -> tick;
}
",
    right: "\
action tick, reset;

process Clock {
    init state s;

    s -> s : tick;
    s -> s : reset;
}

net System {
    sub C = Clock;

    <C: tick>  -> tick;
    <C: reset> -> reset;
}
",
};

impl UnconnectedPort {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (action, part, component) = (&self.action, &self.part, &self.component);
        let (message, to) = match &self.net {
            None => (format!("`{part}` can never do `{action}` in this net"), String::new()),
            Some(net) => {
                (format!("`{part}` can never do `{action}` in `{net}`"), format!(" to `{net}`"))
            }
        };
        let diagnostic = Diagnostic::new(entry, self.span, message)
            .label(format!("`{component}` can do it, but no vector or connector lets it through"))
            .note(format!("add a vector{to}, such as `{}`", self.vector));
        match self.declared {
            Some(declared) => diagnostic.also(declared, format!("the action `{action}`")),
            None => diagnostic,
        }
    }
}
