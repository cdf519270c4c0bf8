//! `W0116`: hole used twice.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A hole of a net that is passed on more than once.
#[derive(Clone, Debug)]
pub struct HoleUsedTwice {
    /// The second use.
    pub span: Span,
    /// The hole.
    pub name: String,
    /// The first use.
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0116",
    title: "hole used twice",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A hole is one place, filled by one component, which is in one state at a time. It
can be passed on to one hole of one part only; passing it on twice would make two
copies of the component out of one.

If two independent copies are wanted, declare two holes and fill both with the
same component.
",
    wrong: "\
net Pair(Left: any, Right: any) {
    <Left: ?a>  -> a;
    <Right: ?a> -> a;
}

net Twins(P: any) = Pair(P, «P»);
",
    right: "\
net Pair(Left: any, Right: any) {
    <Left: ?a>  -> a;
    <Right: ?a> -> a;
}

net Twins(P: any, Q: any) = Pair(P, Q);
",
};

impl HoleUsedTwice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("the hole `{name}` is used twice"))
            .label("used again")
            .also(self.first, "used here first")
            .note("a hole holds one component: declare a second hole for a second one")
    }
}
