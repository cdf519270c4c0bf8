//! `F0212`: operand that never does what it is to do.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A gate or label on which operands move together, and that one of them does not have.
#[derive(Clone, Debug)]
pub struct UnknownLabel {
    /// Where.
    pub span: Span,
    /// Who does not have it; nothing if nobody has.
    pub operand: String,
    /// What they have that differs in upper and lower case only.
    pub near: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0212",
    title: "operand that never does what it is to do",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A vector or interface names a gate or label that an operand never shows, so nobody ever
moves like this. Perhaps the name is wrong: upper and lower case count, unless the file
begins with `behaviour`; then its labels are meant in upper case, as in LOTOS. With
`label`, the whole label is named; with `gate` or nothing, only what stands before the
offers.

If nothing is meant to happen, `--allow F0212` keeps this warning quiet.
",
    wrong: "par using\n  «put» * GET -> PASS,\n  ACK * ACK -> ACK\nin\n  \"sender.aut\" || \"receiver.aut\"\nend par\n",
    right: "par using\n  PUT * GET -> PASS,\n  ACK * ACK -> ACK\nin\n  \"sender.aut\" || \"receiver.aut\"\nend par\n",
};

impl UnknownLabel {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = match self.operand.as_str() {
            "" => "no operand ever does this".to_owned(),
            operand => format!("`{operand}` never does this"),
        };
        let found = Diagnostic::new(entry, self.span, message);
        match &self.near {
            Some(near) => found.note(format!("upper and lower case count: there is `{near}`")),
            None => found,
        }
    }
}
