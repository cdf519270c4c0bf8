//! `T0189`: sort of too many parts.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A sort that is made of very many others.
#[derive(Clone, Debug)]
pub struct SortTooLarge {
    /// The text.
    pub span: Span,
    /// Of how many it can be.
    pub limit: usize,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0189",
    title: "sort of too many parts",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A pair of pairs of pairs has twice as many parts each time. Sorts of more than a
thousand parts are nothing that can be looked at.

Declare a datatype with names for what belongs together, and use that instead.
",
    wrong: "\
fun grown(b0: Int): Bool =
        let b1 = (b0, b0) in
            let b2 = (b1, b1) in
            let b3 = (b2, b2) in
            let b4 = (b3, b3) in
            let b5 = (b4, b4) in
            let b6 = (b5, b5) in
            let b7 = (b6, b6) in
            let b8 = (b7, b7) in
            let b9 = (b8, b8) in
            («b9», 1) == (b9, 1);
",
    right: "\
fun grown(b0: Int): Bool = let b1 = (b0, b0) in let b2 = (b1, b1) in b2 == (b1, b1);
",
};

impl SortTooLarge {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("a sort of more than {} parts", self.limit);
        Diagnostic::new(entry, self.span, message)
            .label("this would have one")
            .note("declare a datatype for what belongs together, and use that")
    }
}
