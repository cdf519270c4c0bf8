//! `T0181`: range among sorts.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A range as, or in, a sort that a datatype is for.
#[derive(Clone, Debug)]
pub struct RangeAsArgument {
    /// The text.
    pub span: Span,
    /// The datatype.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0181",
    title: "range among sorts",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A datatype is for a sort, and a range is only a part of one: `List<Int>`, not
`List<0..4>`. Where the values have to stay in a range, say so where they are put in
and taken out, or declare a datatype with a field of that range.
",
    wrong: "\
data Option<T> { None, Some(value: T) }

const NOTHING: Option<«0..4»> = None;
",
    right: "\
data Option<T> { None, Some(value: T) }

const NOTHING: Option<Int> = None;
",
};

impl RangeAsArgument {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("`{name}` cannot be for a range"))
            .label("a range is a part of a sort")
            .note(format!("write `{name}<Int>`, or declare a datatype with a field of that range"))
    }
}
