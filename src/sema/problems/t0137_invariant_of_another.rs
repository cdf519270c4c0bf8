//! `T0137`: invariant of another net.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An invariant of a net that the check is not about.
#[derive(Clone, Debug)]
pub struct InvariantOfAnother {
    /// The net of the check; of two, the name of the invariant.
    pub span: Span,
    /// Whether it is an invariant or a reduction.
    pub what: &'static str,
    /// The invariant.
    pub name: String,
    /// The nets of the check, in words.
    pub nets: Vec<String>,
    /// The net of the invariant, in words.
    pub its_net: String,
    /// The net of the invariant.
    pub own: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0137",
    title: "invariant of another net",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
An invariant speaks of the parts of one net, with certain values for its
parameters and certain fillings of its holes. A check that is proved by it must
be about the same instance: what holds of two processes need not hold of three,
and paths may mean something else.

The instance is the same if it is written the same. A constant counts by its name,
since its value can be set.
",
    wrong: "\
action tick;

process Counter<most: Int> {
    var n: Int = 0;
    init state s;

    s -> s : tick when n < most do n := n + 1;
}

invariant Few of Counter<2> {
    n <= 2;
}

check always(«Counter<3>», n <= 3) by Few;
",
    right: "\
action tick;

process Counter<most: Int> {
    var n: Int = 0;
    init state s;

    s -> s : tick when n < most do n := n + 1;
}

invariant Few of Counter<3> {
    n <= 3;
}

check always(Counter<3>, n <= 3) by Few;
",
};

impl InvariantOfAnother {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let Self { what, name, nets, its_net, .. } = self;
        let (net, or) = (nets.join("` and `"), nets.join("` or `"));
        let message = format!("`{name}` is {what} of `{its_net}`, and the check is about `{net}`");
        Diagnostic::new(entry, self.span, message)
            .label("another net")
            .also(self.own, format!("`{name}` is about this one"))
            .note(format!("declare {what} of `{or}`, written in the same way after `of`"))
    }
}
