//! `W0107`: net without parts.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A net with neither holes nor sub-nets.
#[derive(Clone, Debug)]
pub struct EmptyNet {
    /// The net's name.
    pub span: Span,
    /// The net.
    pub net: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0107",
    title: "net without parts",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A net is made of parts, its holes and sub-nets, and does what its vectors let them
do. A net without any part can do nothing.

Add holes in round brackets after the name, or sub-nets with `sub`. For a
component that does nothing, write a process with one state and no transitions.
",
    wrong: "\
net «Pair» {}
",
    right: "\
net Pair(Left: any, Right: any) {
    <Left: ?a>  -> a;
    <Right: ?a> -> a;
}
",
};

impl EmptyNet {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let net = &self.net;
        Diagnostic::new(entry, self.span, format!("the net `{net}` has neither holes nor sub-nets"))
            .label("nothing in it could move")
            .note(format!(
                "add holes, as in `net {net}(P: any)`, or sub-nets, as in `sub C = Clock;`"
            ))
    }
}
