//! `F0214`: label that no vector names.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An operand with labels that no vector names, so that they never happen.
#[derive(Clone, Debug)]
pub struct BlockedLabel {
    /// The operand.
    pub span: Span,
    /// What it does, and nobody names.
    pub labels: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0214",
    title: "label that no vector names",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
With `par using`, operands do only what vectors say. This operand has a label that no
vector names in its place, so it never happens there. An operand that does something by
itself needs a vector with `_` in the place of the others; here both do `ACK` together.

If it is meant to be impossible, `cut` says so, and `--allow F0214` keeps all such
warnings quiet.
",
    wrong: "par using\n  PUT * GET -> PASS,\n  _ * ACK -> ACK\nin\n  «\"sender.aut\"» || \"receiver.aut\"\nend par\n",
    right: "par using\n  PUT * GET -> PASS,\n  ACK * ACK -> ACK\nin\n  \"sender.aut\" || \"receiver.aut\"\nend par\n",
};

/// So many labels are named.
const SHOWN: usize = 4;

impl BlockedLabel {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let some = self.labels.iter().take(SHOWN).map(|label| format!("`{label}`"));
        let mut named = some.collect::<Vec<_>>().join(", ");
        if self.labels.len() > SHOWN {
            named.push_str(&format!(" and {} more", self.labels.len() - SHOWN));
        }
        let first = self.labels.first().map_or("", String::as_str);
        Diagnostic::new(entry, self.span, format!("no vector names {named}, so it never happens"))
            .label("can do this by itself, but nobody lets it")
            .note(format!("write a vector with `{first}` in this place and `_` in the others, or `cut` it"))
    }
}
