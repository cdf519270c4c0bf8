//! `F0215`: gate that not all operands have.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An operand with gates that another one does not have, where all move together on everything.
#[derive(Clone, Debug)]
pub struct LonelyGate {
    /// The operand.
    pub span: Span,
    /// Its gates that another one does not have.
    pub gates: Vec<String>,
    /// Who does not have the first of them.
    pub other: String,
    /// Whether there is no gate that all have.
    pub nothing: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0215",
    title: "gate that not all operands have",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
With `||`, operands do together whatever they do. This operand has a gate that another
one does not have, so it never happens, and perhaps nothing does. `|[G, H]|` moves
together on `G` and `H` only, and `|||` on nothing.

If it is meant to be impossible, `cut` says so, and `--allow F0215` keeps all such
warnings quiet.
",
    wrong: "«\"sender.aut\"» || (cut GET in \"receiver.aut\" end cut)\n",
    right: "\"sender.aut\" |[ACK]| (cut GET in \"receiver.aut\" end cut)\n",
};

/// So many gates are named.
const SHOWN: usize = 4;

impl LonelyGate {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let some = self.gates.iter().take(SHOWN).map(|gate| format!("`{gate}`"));
        let mut named = some.collect::<Vec<_>>().join(", ");
        if self.gates.len() > SHOWN {
            named.push_str(&format!(" and {} more", self.gates.len() - SHOWN));
        }
        let message = format!("not all operands of `||` have {named}, so it never happens");
        let first = self.gates.first().map_or("", String::as_str);
        let found = Diagnostic::new(entry, self.span, message)
            .label(format!("`{}` never does `{first}`", self.other))
            .note("`|[G]|` moves together on the gate `G` only, and `|||` on nothing");
        match self.nothing {
            true => found.note("there is no gate that all operands have, so they can only move silently"),
            false => found,
        }
    }
}
