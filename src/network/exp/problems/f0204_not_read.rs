//! `F0204`: form of networks that is not read.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A form that is not read.
#[derive(Clone, Debug)]
pub struct NotRead {
    /// Where.
    pub span: Span,
    /// What it is.
    pub form: &'static str,
    /// What can be done instead.
    pub instead: &'static str,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0204",
    title: "form of networks that is not read",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Of the EXP format, these forms are not read: priorities (`prio`), operators of CCS, CSP
and mCRL, and rules that stand in files of their own (`hide using …`).

What is read: files, `hide`, `rename`, `cut`, `par` with vectors or with interfaces, and
the operators `||`, `|||` and `|[…]|` of LOTOS.
",
    wrong: "\"sender.aut\" «|» \"receiver.aut\"\n",
    right: "\"sender.aut\" ||| \"receiver.aut\"\n",
};

impl NotRead {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("{} cannot be read", self.form);
        Diagnostic::new(entry, self.span, message).note(self.instead)
    }
}
