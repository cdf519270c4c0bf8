//! `F0414`: transitions of BIP that may be enabled together.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Two transitions of one port that may be enabled together.
#[derive(Clone, Debug)]
pub struct SamePortTwice {
    /// The second one.
    pub span: Span,
    /// The first one.
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0414",
    title: "transitions of BIP that may be enabled together",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
Two transitions of the same port, or two internal ones, come from places that can be marked
together, and nothing says that their guards exclude each other. BIP stops with an error
where both are enabled; in the model either can happen.
",
    wrong: "package P\n  port type Sig()\n  atom type A()\n    port Sig p()\n    place S, T\n    initial to S\n    on p from S to T\n    «on p from S to S»\n  end\nend\n",
    right: "package P\n  port type Sig()\n  atom type A()\n    port Sig p()\n    place S, T\n    initial to S\n    on p from S to T\n  end\nend\n",
};

impl SamePortTwice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "this transition may be enabled together with another one")
            .also(self.first, "this is the other one")
            .note("where both are enabled, BIP stops with an error; in the model either can happen")
    }
}
