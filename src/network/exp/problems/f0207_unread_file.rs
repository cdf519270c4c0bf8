//! `F0207`: file of a network that cannot be read.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A file that a network names cannot be read.
#[derive(Clone, Debug)]
pub struct UnreadFile {
    /// Where.
    pub span: Span,
    /// Why.
    pub why: String,
    /// What to do.
    pub note: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0207",
    title: "file of a network that cannot be read",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The operands of a network are files: labelled transition systems (`.aut`) and other
networks (`.exp`). Without an ending, first the one is looked for, then the other. Names
are relative to the folder of the file in which they stand.

Other formats are not read. CADP converts them: `bcg_io x.bcg x.aut`.
",
    wrong: "\"sender.aut\" ||| «\"old.bcg\"»\n",
    right: "\"sender.aut\" ||| \"receiver\"\n",
};

impl UnreadFile {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let found = Diagnostic::new(entry, self.span, "this file cannot be read").label(self.why.clone());
        match &self.note {
            Some(note) => found.note(note.clone()),
            None => found,
        }
    }
}
