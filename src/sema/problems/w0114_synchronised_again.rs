//! `W0114`: synchronised action that is to be synchronised again.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A `sync a` as one of several members of a vector.
#[derive(Clone, Debug)]
pub struct SynchronisedAgain {
    /// The action.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0114",
    title: "synchronised action that is to be synchronised again",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
`sync a` marks an action as done with: it has been synchronised, and takes part in
no further synchronisation in the nets around. A vector with several members is
such a synchronisation, so this one breaks the promise.

To let it through, write a vector with this member alone:
`<P: sync a> -> sync a;`. If it really has to be synchronised here, remove the
`sync` where it is made.
",
    wrong: "\
action tick;

net Pair(P: any, Q: any) {
    <P: tick,      Q: tick> -> tick;
    <P: «sync tick», Q: tick> -> sync tick;
}
",
    right: "\
action tick;

net Pair(P: any, Q: any) {
    <P: tick, Q: tick> -> tick;
    <P: sync tick>     -> sync tick;
}
",
};

impl SynchronisedAgain {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "a synchronised action is synchronised again")
            .label("`sync` means that no other member may join in")
            .note("give this member a vector of its own, or remove `sync` where the action is made")
    }
}
