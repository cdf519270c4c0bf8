//! `T0129`: complement of something that has none.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A complement of a complement, of `tau`, or of a synchronised action.
#[derive(Clone, Debug)]
pub struct DoubleComplement {
    /// The whole.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0129",
    title: "complement of something that has none",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`co a` is the partner of the action `a`, as in CCS: the one sends, the other
receives. The partner of `co a` is `a` itself, which is written just so. The
silent action `tau` and synchronised actions (`sync a`) are done with: they take
part in no further synchronisation and have no partner.
",
    wrong: "\
action send;

process Sender {
    init state s;

    s -> s : co send;
    s -> s : «co co send»;
}
",
    right: "\
action send;

process Sender {
    init state s;

    s -> s : co send;
    s -> s : send;
}
",
};

impl DoubleComplement {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "this action has no complement")
            .label("`co` cannot be applied here")
            .note("`co` applies to a plain action; the complement of `co a` is written `a`")
    }
}
