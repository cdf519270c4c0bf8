//! `F0211`: network with too many vectors.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// There are too many ways in which operands move together.
#[derive(Clone, Debug)]
pub struct TooManyVectors {
    /// Where.
    pub span: Span,
    /// How many there may be.
    pub most: usize,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0211",
    title: "network with too many vectors",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Networks in each other are made one: a vector for each way in which files move together.
Where an operand has many ways to show the same label, and others too, there are as many
vectors as the numbers multiplied; a million of them can be read.

Make a system of an operand first, with `pnet reduce PART.exp --strong -o PART.aut`, and
name that instead: it shows each label in one way.
",
    wrong: "",
    right: "",
};

impl TooManyVectors {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("there are more than {} ways to move together here", self.most))
            .note("make a system of a part first: `pnet reduce PART.exp --strong -o PART.aut`")
    }
}
