//! `F0323`: slot of a family that does not say which member, or the other way round.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A slot that does not fit its entry.
#[derive(Clone, Debug)]
pub struct MemberOfFamily {
    /// The slot.
    pub span: Span,
    /// The entry.
    pub entry: String,
    /// Where it is.
    pub declared: Span,
    /// Whether the entry is a family.
    pub is_family: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0323",
    title: "slot that does not fit its entry",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`Proxy[i]` in the structure of a node is a family, with a member for each value of `i`. A
slot of it says which member acts: `Put(v)&i`. Slots of other entries have no `&`,
since there is only one that could act.
",
    wrong: "Structure\ni:0..2\n<Queue, Proxy[i]>\nVectors\n< Put(i) «Put» > => Put(i)\n",
    right: "Structure\ni:0..2\n<Queue, Proxy[i]>\nVectors\n< Put(i) Put&i > => Put(i)\n",
};

impl MemberOfFamily {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.entry;
        let (message, note) = match self.is_family {
            true => (
                format!("this slot does not say which member of `{name}` acts"),
                "write `&` and the index behind the action",
            ),
            false => (
                format!("`{name}` is no family, and this slot is of one of its members"),
                "leave out `&` and the index, or make the entry a family",
            ),
        };
        Diagnostic::new(entry, self.span, message).also(self.declared, "the entry is here").note(note)
    }
}
