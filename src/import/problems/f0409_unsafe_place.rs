//! `F0409`: place of BIP that may be marked twice.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A place that may be marked twice.
#[derive(Clone, Debug)]
pub struct UnsafePlace {
    /// Where a transition leads to it.
    pub span: Span,
    /// The place.
    pub place: String,
    /// The marked places from which it happens.
    pub marking: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0409",
    title: "place of BIP that may be marked twice",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The places of an atom are a Petri net in which each place is marked at most once: a
transition must not lead to a place that is marked already and that it does not come from.
BIP stops when this happens. Here guards are not looked at: the transition could lead to a
marked place if its guard holds.
",
    wrong: "package P\n  port type Sig()\n  atom type A()\n    port Sig p()\n    place S, T\n    initial to S, T\n    on p from S to «T»\n  end\nend\n",
    right: "package P\n  port type Sig()\n  atom type A()\n    port Sig p()\n    place S, T\n    initial to S, T\n    on p from S, T to T\n  end\nend\n",
};

impl UnsafePlace {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (place, marking) = (&self.place, &self.marking);
        Diagnostic::new(entry, self.span, format!("`{place}` may be marked twice"))
            .note(format!("it can be marked already where `{marking}` are the marked places"))
    }
}
