//! `F0338`: too many ways in which parts move together.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A vector whose members go together in too many ways.
#[derive(Clone, Debug)]
pub struct TooManyJoint {
    /// The vector.
    pub span: Span,
    /// How many are written.
    pub most: usize,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0338",
    title: "too many ways in which parts move together",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
BIP and mCRL2 name each way in which parts move together, where the language has one vector
for many. Where the members of a vector can do its actions in several ways each, there are
products of these, and here there are too many to be written down. Let parts have fewer
transitions that show the same action with different values.
",
    wrong: "",
    right: "",
};

impl TooManyJoint {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("there are more than {} ways in which parts move together here", self.most);
        Diagnostic::new(entry, self.span, message)
            .note("let parts have fewer transitions that show the same action")
    }
}
