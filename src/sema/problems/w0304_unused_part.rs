//! `W0304`: sub-net that can never move.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A sub-net that is in no vector or connector.
#[derive(Clone, Debug)]
pub struct UnusedPart {
    /// The sub-net's name.
    pub span: Span,
    /// The sub-net.
    pub name: String,
    /// The net.
    pub net: String,
    /// A vector that lets it do everything.
    pub vector: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0304",
    title: "sub-net that can never move",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A part of a net moves only when a vector or connector says so. This sub-net is in
none, so it stays in its initial state for ever and takes part in nothing.

Add the vectors it needs, or remove it. To let it do everything by itself, write
`<S: ?a> -> a;`.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Pair {
    sub A = Clock;
    sub «B» = Clock;

    <A: tick> -> tick;
}
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Pair {
    sub A = Clock;
    sub B = Clock;

    <A: tick> -> tick;
    <B: tick> -> tick;
}
",
};

impl UnusedPart {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, net, vector) = (&self.name, &self.net, &self.vector);
        Diagnostic::new(entry, self.span, format!("the sub-net `{name}` can never move"))
            .label(format!("in no vector or connector of `{net}`"))
            .note(format!("give it a vector, such as `{vector}`, or remove it"))
    }
}
