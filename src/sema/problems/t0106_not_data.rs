//! `T0106`: selector on something that is no data.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A selector after a value that has no fields.
#[derive(Clone, Debug)]
pub struct NotData {
    /// The selector.
    pub span: Span,
    /// The sort of the value.
    pub found: String,
    /// The selector.
    pub selector: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0106",
    title: "selector on something that is no data",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A selector, as in `m.seq`, takes a field out of a value of a sort that was
declared with `data`. The value here is of another sort and has no fields.

To give a value fields, declare a sort for it: `data Msg { Pkt(seq: Int) }`.
",
    wrong: "\
data Msg { Pkt(seq: Int) }

fun next(m: Int): Int = m.«seq» + 1;
",
    right: "\
data Msg { Pkt(seq: Int) }

fun next(m: Msg): Int = m.seq + 1;
",
};

impl NotData {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (found, selector) = (&self.found, &self.selector);
        let message = format!("a value of sort `{found}` has no field `{selector}`");
        Diagnostic::new(entry, self.span, message)
            .label(format!("the sort `{found}` has no fields"))
            .note("only values of a sort declared with `data` have fields")
    }
}
