//! `W0319`: action that the net never shows.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A step of a scenario, or the action of `live`, that the net it is about never shows.
#[derive(Clone, Debug)]
pub struct NeverShown {
    /// The action.
    pub span: Span,
    /// The action.
    pub action: String,
    /// The net.
    pub net: String,
    /// The action that was probably meant.
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0319",
    title: "action that the net never shows",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A scenario is a run as it is seen from outside: its steps are the actions that
the vectors and connectors of the net show, not those of its parts. Nothing in
this net shows the action, so that no run has such a step. The same holds of
`live`.
",
    wrong: "\
action give, take, pass;

process Giver {
    init state s;

    s -> s : give;
}

process Taker {
    init state s;

    s -> s : take;
}

net Pair {
    sub G = Giver;
    sub T = Taker;

    <G: give, T: take> -> pass;
}

scenario handover of Pair {
    «give»;
}
",
    right: "\
action give, take, pass;

process Giver {
    init state s;

    s -> s : give;
}

process Taker {
    init state s;

    s -> s : take;
}

net Pair {
    sub G = Giver;
    sub T = Taker;

    <G: give, T: take> -> pass;
}

scenario handover of Pair {
    pass;
}
",
};

impl NeverShown {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (action, net) = (&self.action, &self.net);
        let length = action.len() as u32;
        let name = Span::new(self.span.start, self.span.end.min(self.span.start + length));
        Diagnostic::new(entry, self.span, format!("`{net}` never shows `{action}`"))
            .label("no step is seen like this from outside")
            .note("write what the vectors and connectors of the net show, not what its parts do")
            .did_you_mean(name, self.similar.as_deref())
    }
}
