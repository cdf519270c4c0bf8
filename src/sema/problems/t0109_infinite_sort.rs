//! `T0109`: sort that would contain itself.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A sort that would have to be a part of itself.
#[derive(Clone, Debug)]
pub struct InfiniteSort {
    /// The expression.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0109",
    title: "sort that would contain itself",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
From how this value is used, its sort would have to be, for example, an array
whose elements are of that same sort again, and so on without end. There is no
such sort.

Usually an index or a selector is missing on one side. Write the sorts of the
variables where they are introduced, to see which use is the wrong one. For data
that contains data of its own kind, declare a sort with `data`.
",
    wrong: "\
axiom forall m . m[0] == «m»;
",
    right: "\
axiom forall m: [Int]Int . m[0] == m[1];
",
};

impl InfiniteSort {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "the sort of this would have to contain itself")
            .label("used as a whole and as a part of itself")
            .note(
                "write the sorts of the variables where they are introduced, to see what is wrong",
            )
    }
}
