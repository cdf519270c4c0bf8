//! `W0110`: part twice in one vector.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A vector that names the same part twice.
#[derive(Clone, Debug)]
pub struct MemberTwice {
    /// The second member's part.
    pub span: Span,
    /// The part.
    pub name: String,
    /// The first member's part.
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0110",
    title: "part twice in one vector",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The members of a vector move in the same instant, each with one action. A part can
do only one action at a time, so it cannot be a member twice.

If two things are to happen one after the other, write two vectors. If two copies
of a component are to move together, give the net two parts.
",
    wrong: "\
action tick, tock, both;

net Clock(P: any) {
    <P: tick, «P»: tock> -> both;
}
",
    right: "\
action tick, tock, both;

net Clock(P: any, Q: any) {
    <P: tick, Q: tock> -> both;
}
",
};

impl MemberTwice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("`{name}` is a member of this vector twice"))
            .label("cannot do a second action in the same step")
            .also(self.first, "already moves here")
            .note("a part does one action at a time: write two vectors, or use two parts")
    }
}
