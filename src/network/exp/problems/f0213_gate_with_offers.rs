//! `F0213`: gate with offers.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Offers where only a gate is looked at.
#[derive(Clone, Debug)]
pub struct GateWithOffers {
    /// Where.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0213",
    title: "gate with offers",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A label such as `PUT !1` has a gate, `PUT`, and offers; the gate ends before the first
blank, `!`, `?` or `(`. With `gate` before an operator, or nothing, only gates are looked
at, and no gate is like this one.

Write `total hide \"PUT !1\"`, `total rename`, `total cut` or `label par` to name whole
labels, or leave out the offers.
",
    wrong: "hide «\"PUT !1\"» in \"sender.aut\" end hide\n",
    right: "total hide \"PUT !1\" in \"sender.aut\" end hide\n",
};

impl GateWithOffers {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "no gate is like this")
            .label("a gate has no offers")
            .note("put `total` before `hide`, `rename` and `cut`, or `label` before `par`, to name whole labels")
    }
}
