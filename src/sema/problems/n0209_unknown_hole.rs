//! `N0209`: unknown hole.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A fill for a hole that the net does not have.
#[derive(Clone, Debug)]
pub struct UnknownHole {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The net that is filled.
    pub net: String,
    /// The hole that was probably meant.
    pub similar: Option<String>,
    /// The holes of that net.
    pub known: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0209",
    title: "unknown hole",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
In `Pair(Left: Clock)` the component `Clock` fills the hole `Left` of the net
`Pair`. The name before the colon has to be one of the holes that stand in round
brackets where the net is declared, or a hole that one of its parts left open.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Pair(Left: any, Right: any) {
    <Left: ?a>  -> a;
    <Right: ?a> -> a;
}

net Clocks = Pair(Left: Clock, «Rigth»: Clock);
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Pair(Left: any, Right: any) {
    <Left: ?a>  -> a;
    <Right: ?a> -> a;
}

net Clocks = Pair(Left: Clock, Right: Clock);
",
};

impl UnknownHole {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, net) = (&self.name, &self.net);
        let holes = match self.known.as_slice() {
            [] => format!("`{net}` has no holes, so there is nothing to fill"),
            [only] => format!("the only hole of `{net}` is `{only}`"),
            known => format!("the holes of `{net}` are {}", list(known, "and")),
        };
        Diagnostic::new(entry, self.span, format!("`{net}` has no hole `{name}`"))
            .label("unknown hole")
            .note(holes)
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
