//! `F0406`: value or port of BIP of another type.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Something of another type than is wanted.
#[derive(Clone, Debug)]
pub struct MistypedBip {
    /// Where.
    pub span: Span,
    /// What it is.
    pub found: String,
    /// What is wanted.
    pub wanted: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0406",
    title: "value or port of BIP of another type",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A value is used where its type does not fit: a number where a condition is wanted, an
argument of another type than the parameter, too many or too few of them, or a port of
another type than the connector wants.
",
    wrong: "package P\n  port type Sig()\n  const data int Max = «true»\nend\n",
    right: "package P\n  port type Sig()\n  const data int Max = 1\nend\n",
};

impl MistypedBip {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("this is {}, and {} is wanted", self.found, self.wanted);
        Diagnostic::new(entry, self.span, message)
    }
}
