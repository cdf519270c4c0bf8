//! `W0115`: net that contains itself.

use super::cycle;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A net that is a part of itself.
#[derive(Clone, Debug)]
pub struct RecursiveNet {
    /// The net's name.
    pub span: Span,
    /// The nets; the last is the first again.
    pub cycle: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0115",
    title: "net that contains itself",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A net is built completely before it runs. A net that has itself as a part,
directly or through others, would never be finished.

For several parts of the same kind, use a family:
`net Many<n: Int>(P[i: 0..n]: any)` or `sub S[i: 0..n] = Station;`. For behaviour
that repeats, use the states of a process.
",
    wrong: "\
net «Many»(P: any) {
    sub Rest = Many;

    <P: ?a>    -> a;
    <Rest: ?a> -> a;
}
",
    right: "\
net Many<n: Int>(P[i: 0..n]: any) {
    <P[i]: ?a> -> a for i in 0..n;
}
",
};

impl RecursiveNet {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = match self.cycle.as_slice() {
            [] => "this net contains itself".to_owned(),
            [net] | [net, _] => format!("the net `{net}` contains itself"),
            [net, ..] => format!("the net `{net}` contains itself through others"),
        };
        let diagnostic =
            Diagnostic::new(entry, self.span, message).label("would have to be built without end");
        let diagnostic = if self.cycle.len() > 2 {
            diagnostic.note(format!("the cycle is {}", cycle(&self.cycle)))
        } else {
            diagnostic
        };
        diagnostic.note("use a family for many equal parts: `sub S[i: 0..n] = Station;`")
    }
}
