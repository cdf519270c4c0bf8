//! `T0181`: range without known bounds among sorts.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A range as, or in, a sort that something is for, whose bounds are not known.
#[derive(Clone, Debug)]
pub struct RangeAsArgument {
    /// The text.
    pub span: Span,
    /// The datatype or function.
    pub name: String,
    /// Whether it is a datatype.
    pub is_data: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0181",
    title: "range without known bounds among sorts",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`Option<0..4>` is a datatype of its own, and the same one wherever it is written. So the
bounds must be known when the model is checked: numbers, and constants that have a value.
A parameter has another value in each instance, and a constant without a value has any;
`Option<0..n>` would be many datatypes, or one that nobody knows.

The same holds of a function over a sort that is used for such a range.

Write `Option<Int>`, and say where values are put in which of them are meant.
",
    wrong: "\
data Option<T> { None, Some(value: T) }
action put(Int);

process Cell<n: Int> {
    var kept: Option<«0..n»> = None;
    init state s;

    s -> s : put(3) when kept is None;
}
",
    right: "\
data Option<T> { None, Some(value: T) }
action put(Int);
const N: Int = 4;

process Cell {
    var kept: Option<0..N> = None;
    init state s;

    s -> s : put(3) when kept is None;
}
",
};

impl RangeAsArgument {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let message = format!("`{name}` cannot be for a range whose bounds are not known");
        let note = match self.is_data {
            true => format!(
                "write numbers or constants that have a value, as in `{name}<0..4>`, or `{name}<Int>`"
            ),
            false => "write the function for `Int`, or for a range between numbers".to_owned(),
        };
        Diagnostic::new(entry, self.span, message)
            .label("its bounds are no numbers yet")
            .note(note)
    }
}
