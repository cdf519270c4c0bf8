//! `F0321`: vector with another number of slots than the node has entries.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A vector with too many or too few slots.
#[derive(Clone, Debug)]
pub struct WrongSlots {
    /// The vector.
    pub span: Span,
    /// How many slots it has.
    pub slots: usize,
    /// How many entries there are.
    pub entries: usize,
    /// Where they are.
    pub structure: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0321",
    title: "vector with another number of slots than there are entries",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A vector of a node of VerCors has one slot for each entry of the structure, a family being
one entry. Slots are separated by blanks; `_` stands for an entry that does not move.
The slots stand in the order of the entries.
",
    wrong: "Structure\n<Queue, Body>\nVectors\n«< Serve >» => Serve\n",
    right: "Structure\n<Queue, Body>\nVectors\n< Serve Serve > => Serve\n",
};

impl WrongSlots {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (slots, entries) = (self.slots, self.entries);
        let message = format!("this vector has {slots} slots, and there are {entries} entries");
        Diagnostic::new(entry, self.span, message)
            .also(self.structure, "these are the entries")
            .note("write `_` for an entry that does not move")
    }
}
