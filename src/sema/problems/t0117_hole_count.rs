//! `T0117`: more components than holes.

use super::count;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A net used with more components than it has holes.
#[derive(Clone, Debug)]
pub struct HoleCount {
    /// The first component that is too many.
    pub span: Span,
    /// The net.
    pub name: String,
    /// How many holes it has.
    pub expected: usize,
    /// How many components are given.
    pub found: usize,
    /// Where it is declared.
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0117",
    title: "more components than holes",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The components in round brackets fill the holes of a net, one each, in the order
in which the holes are declared. Here there are more components than holes. (Fewer
are allowed: holes that are not filled stay open.)

Processes have no holes at all. Value parameters stand in angle brackets:
`Timer<3>`.
",
    wrong: "\
net Pair(Left: any, Right: any) {
    <Left: ?a>  -> a;
    <Right: ?a> -> a;
}

net Two(P: any, Q: any) = Pair(P, Q, «Pair»);
",
    right: "\
net Pair(Left: any, Right: any) {
    <Left: ?a>  -> a;
    <Right: ?a> -> a;
}

net Two(P: any, Q: any) = Pair(P, Q);
",
};

impl HoleCount {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let holes = count(self.expected, "hole");
        let given = count(self.found, "component");
        let message = format!("`{name}` has {holes}, but is used with {given}");
        let diagnostic = Diagnostic::new(entry, self.span, message)
            .label("fills no hole")
            .note("remove what is too many; values go in angle brackets: `Timer<3>`");
        match self.declared {
            Some(place) => diagnostic.also(place, format!("declared with {holes}")),
            None => diagnostic,
        }
    }
}
