//! `N0206`: member that the net does not have.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A vector or connector that names a part the net does not have.
#[derive(Clone, Debug)]
pub struct UnknownPart {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The net.
    pub net: String,
    /// The part that was probably meant.
    pub similar: Option<String>,
    /// The parts of the net.
    pub known: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0206",
    title: "member that the net does not have",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A vector `<P: a, C: b> -> c;` says which parts of the net move together. Before
each colon stands the name of one of the net's own holes or sub-nets; the same
holds before the dot of a connector's port. This net has no part of this name.

A process cannot be named directly: make it a part first, `sub C = Clock;`. Parts
inside a sub-net cannot be reached either; they show themselves by its actions.
",
    wrong: "\
net Pair(Left: any, Right: any) {
    <Left: ?a>            -> a;
    <Right: ?a>           -> a;
    <Left: ?a, «Rihgt»: ?a> -> sync a;
}
",
    right: "\
net Pair(Left: any, Right: any) {
    <Left: ?a>            -> a;
    <Right: ?a>           -> a;
    <Left: ?a, Right: ?a> -> sync a;
}
",
};

impl UnknownPart {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, net) = (&self.name, &self.net);
        let parts = match self.known.as_slice() {
            [] => format!("`{net}` has neither holes nor sub-nets"),
            [only] => format!("the only part of `{net}` is `{only}`"),
            known => format!("the parts of `{net}` are {}", list(known, "and")),
        };
        Diagnostic::new(entry, self.span, format!("the net `{net}` has no part `{name}`"))
            .label("neither a hole nor a sub-net of this net")
            .note(parts)
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
