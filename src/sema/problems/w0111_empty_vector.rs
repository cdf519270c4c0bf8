//! `W0111`: vector without members.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A vector in which nobody moves.
#[derive(Clone, Debug)]
pub struct EmptyVector {
    /// The empty brackets.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0111",
    title: "vector without members",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A vector says which parts move together. Without members, the net would show an
action all by itself, at any time and without end, while nothing in it changes.

Name at least one member. If the net is to do something by itself, write a process
for it, make it a sub-net and let it take part in the vector.
",
    wrong: "\
action tick;

net Clock(P: any) {
    <P: ?a> -> a    when a is not tick;
    «<>»      -> tick;
}
",
    right: "\
action tick;

net Clock(P: any) {
    <P: ?a>   -> a    when a is not tick;
    <P: tick> -> tick;
}
",
};

impl EmptyVector {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "this vector has no members")
            .label("nobody moves")
            .note("name at least one hole or sub-net with its action: `<P: tick> -> tick;`")
    }
}
