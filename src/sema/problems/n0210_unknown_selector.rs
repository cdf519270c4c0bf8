//! `N0210`: unknown selector.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A selector that the sort does not have.
#[derive(Clone, Debug)]
pub struct UnknownSelector {
    /// The selector.
    pub span: Span,
    /// The selector.
    pub name: String,
    /// The sort of the value.
    pub sort: String,
    /// The selector that was probably meant.
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0210",
    title: "unknown selector",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A selector takes one field out of a value: after `data Msg { Pkt(seq: Int) }`, the
expression `m.seq` is the number in a `Pkt`. The fields are named where the sort
is declared, and this sort has no field of this name.
",
    wrong: "\
data Msg { Pkt(seq: Int) }

fun next(m: Msg): Int = m.«sqe» + 1;
",
    right: "\
data Msg { Pkt(seq: Int) }

fun next(m: Msg): Int = m.seq + 1;
",
};

impl UnknownSelector {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, sort) = (&self.name, &self.sort);
        Diagnostic::new(entry, self.span, format!("the sort `{sort}` has no selector `{name}`"))
            .label("unknown selector")
            .note(format!(
                "the selectors are the names of the fields in the declaration of `{sort}`"
            ))
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
