//! `P0008`: statement in the wrong kind of block.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A statement that cannot stand in the block it stands in.
#[derive(Clone, Debug)]
pub struct MisplacedStatement {
    /// Its first word or sign.
    pub span: Span,
    /// What it is: `a transition`, `a vector`.
    pub what: String,
    /// Where it stands: `a net`.
    pub place: String,
    /// Where it belongs: `a process`.
    pub belongs: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0008",
    title: "statement in the wrong kind of block",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A process is one component's own behaviour: it has variables (`var`), states
(`state`) and transitions (`s -> t : a;`). A net is made of other components: it
has sub-nets (`sub`), synchronisation vectors (`<P: a> -> b;`), connectors
(`connect`) and priorities (`priority`). Declarations of sorts, functions,
constants and actions stand at the top of the file, outside of both.

To give a net a state of its own, write a process for it and make it a sub-net
that takes part in the vectors.
",
    wrong: "\
action tick;

net Clock(P: any) {
    «var» t: Int = 0;

    <P: tick> -> tick;
}
",
    right: "\
action tick;

process Counter {
    var t: Int = 0;
    init state s;

    s -> s : tick when t < 10 do t := t + 1;
}

net Clock(P: any) {
    sub C = Counter;

    <P: tick, C: tick> -> tick;
}
",
};

impl MisplacedStatement {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (what, place, belongs) = (&self.what, &self.place, &self.belongs);
        let at = if place.starts_with("the top") { "at" } else { "in" };
        let diagnostic =
            Diagnostic::new(entry, self.span, format!("{what} cannot stand {at} {place}"))
                .label(format!("{what} belongs in {belongs}"));
        match (place.as_str(), belongs.as_str()) {
            ("a net", "a process") => diagnostic.note(
                "a net only combines components: write a process for this behaviour, \
                 and make it a `sub` of the net",
            ),
            ("a process", "a net") => diagnostic
                .note("a process is one component's own behaviour: combine components in a net"),
            _ => diagnostic.note(format!("move it to {belongs}")),
        }
    }
}
