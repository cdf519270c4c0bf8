//! `F0322`: parameter of a node without a range.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A parameter without a range, or with one that has no values.
#[derive(Clone, Debug)]
pub struct NoRange {
    /// Where it is used, or the range.
    pub span: Span,
    /// Its name.
    pub name: String,
    /// Whether it has a range without values.
    pub is_empty: bool,
    /// What was probably meant.
    pub near: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0322",
    title: "parameter of a node without values",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Below `Structure`, a node of VerCors gives each parameter its range, `i:0..2`, with both
ends included. Vectors and families use only such parameters, and numbers. A range
has at least one value: it does not end before it begins.
",
    wrong: "Structure\n<Queue, Body>\nVectors\n< Put(«v») Put(1) > => Put(1)\n",
    right: "Structure\nv:0..3\n<Queue, Body>\nVectors\n< Put(v) Put(1) > => Put(1)\n",
};

impl NoRange {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let message = match self.is_empty {
            true => format!("`{name}` has no values: the range ends before it begins"),
            false => format!("the parameter `{name}` has no range"),
        };
        let diagnostic = Diagnostic::new(entry, self.span, message);
        match self.is_empty {
            true => diagnostic,
            false => diagnostic
                .note(format!("add a line such as `{name}:0..2` below `Structure`"))
                .did_you_mean(self.span, self.near.as_deref()),
        }
    }
}
