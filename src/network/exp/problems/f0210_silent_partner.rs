//! `F0210`: silent action to move together on.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// The silent action where operands are to move together.
#[derive(Clone, Debug)]
pub struct SilentPartner {
    /// Where.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0210",
    title: "silent action to move together on",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Silent steps of operands happen by themselves, and nobody else can take part in them: the
silent action (`--tau` says what it is called) cannot stand in a place of a vector, or in
an interface. It may be what results.

If the label is not meant to be silent, give the silent action another name with `--tau`.
",
    wrong: "label par using\n  «\"tau\"» * \"GET !1\" -> \"PASS\",\n  \"ACK\" * \"ACK\" -> \"ACK\"\nin\n  \"sender.aut\" || \"receiver.aut\"\nend par\n",
    right: "label par using\n  \"PUT !1\" * \"GET !1\" -> \"tau\",\n  \"ACK\" * \"ACK\" -> \"ACK\"\nin\n  \"sender.aut\" || \"receiver.aut\"\nend par\n",
};

impl SilentPartner {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "operands cannot move together on the silent action")
            .label("this is what the silent action is called")
            .note("silent steps happen by themselves, and need no vector")
    }
}
