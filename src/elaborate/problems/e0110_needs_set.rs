//! `E0110`: set of actions that is not given.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Set of actions that is not given.
#[derive(Clone, Debug)]
pub struct NeedsSet {
    /// Where it is.
    pub span: Span,
    /// The parameter.
    pub name: String,
    /// The net.
    pub component: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0110",
    title: "set of actions that is not given",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A net that is elaborated by itself has its number parameters left open: they stand for
any value. Which actions are in a set, however, decides how the net is wired, and
there is no such thing as any set.

Elaborate a net that gives the set.
",
    wrong: "\
action tick;

net Hidden<«H»: actions>(P: any) {
    <P: ?a>   -> a   when a not in H;
    <P: tick> -> tau;
}
",
    right: "\
action tick;

net Hidden<H: actions>(P: any) {
    <P: ?a>   -> a   when a not in H;
    <P: tick> -> tau;
}

net Silent(P: any) = Hidden<{ tick }>(P);
",
};

impl NeedsSet {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("the set of actions `{}` is not given", self.name))
            .label("any value would do for a number, but not for a set of actions")
            .also(self.component, "this net cannot be elaborated by itself")
            .note("elaborate a net that uses it, such as `net Mine(P: any) = Hide<{ tick }>(P);`")
    }
}
