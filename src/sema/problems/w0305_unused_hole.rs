//! `W0305`: hole that can never move.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A hole that is in no vector or connector and is passed on to nothing.
#[derive(Clone, Debug)]
pub struct UnusedHole {
    /// The hole's name.
    pub span: Span,
    /// The hole.
    pub name: String,
    /// The net.
    pub net: String,
    /// A vector that lets it do everything; a net that is another name has none.
    pub vector: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0305",
    title: "hole that can never move",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A hole is named by the vectors and connectors of its net, or passed on to a
sub-net. This one is used in neither way: whatever fills it stays in its initial
state for ever.

Add the vectors it needs, or remove the hole. To let it do everything by itself,
write `<P: ?a> -> a;`.
",
    wrong: "\
net Pair(Left: any, «Right»: any) {
    <Left: ?a> -> a;
}
",
    right: "\
net Pair(Left: any, Right: any) {
    <Left: ?a>  -> a;
    <Right: ?a> -> a;
}
",
};

impl UnusedHole {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, net) = (&self.name, &self.net);
        let mend = match &self.vector {
            Some(vector) => format!("give it a vector, such as `{vector}`"),
            None => "pass it on".to_owned(),
        };
        Diagnostic::new(entry, self.span, format!("what fills the hole `{name}` can never move"))
            .label(format!("in no vector or connector of `{net}`, and not passed on"))
            .note(format!("{mend}, or remove it"))
    }
}
