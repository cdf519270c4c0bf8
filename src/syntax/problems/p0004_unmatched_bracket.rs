//! `P0004`: closing bracket without an opening one.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A closing bracket that closes nothing, or a block too early.
#[derive(Clone, Debug)]
pub struct UnmatchedBracket {
    /// The closing bracket.
    pub span: Span,
    /// The closing bracket as text.
    pub close: String,
    /// A block that it closes too early: its head and its name.
    pub closes: Option<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0004",
    title: "closing bracket without an opening one",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
This bracket closes nothing that is open, or closes a block while a bracket inside
it is still open. Either the bracket is one too many, or its opening partner is
missing before it, or it is of the wrong kind, as the `]` in `(x + 1]`.

If it is a `}` at the end of a block, look further up: another `}` may have closed
the block too early.
",
    wrong: "\
action set(Int);

process Cell {
    init state low;
    state high;

    low  -> high : set(1);
    high -> low  : set(0)«)»;
}
",
    right: "\
action set(Int);

process Cell {
    init state low;
    state high;

    low  -> high : set(1);
    high -> low  : set(0);
}
",
};

impl UnmatchedBracket {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let close = &self.close;
        match &self.closes {
            Some((head, name)) => {
                let message = format!("this `{close}` closes `{name}` too early");
                Diagnostic::new(entry, self.span, message)
                    .label("there is more of the block after this")
                    .also(*head, format!("`{name}` starts here"))
                    .note(format!("remove this `{close}`, or open what it was meant to close"))
                    .suggest("remove it", self.span, "")
            }
            None => Diagnostic::new(entry, self.span, format!("this `{close}` closes nothing"))
                .label("no bracket is open that this could close")
                .note("remove it, or put the opening bracket before it")
                .suggest("remove it", self.span, ""),
        }
    }
}
