//! `T0113`: value outside of its range.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A value that does not fit the range it is meant for.
#[derive(Clone, Debug)]
pub struct OutOfRange {
    /// The value.
    pub span: Span,
    /// The value, or the range of values, that the expression has.
    pub value: String,
    /// The range that is wanted.
    pub range: String,
    /// Where the range is declared.
    pub declared: Option<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0113",
    title: "value outside of its range",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A range sort `low..high` holds the numbers from `low` up to, but not including,
`high`: the sort `0..4` has the four values 0, 1, 2 and 3. The value here can
never be in it.

Change the value, or the range. For numbers that start again from 0, write
`(x + 1) mod 4`.
",
    wrong: "\
action at(Int);

process Ring {
    var pos: 0..4 = «4»;
    init state s;

    s -> s : at(pos) do pos := (pos + 1) mod 4;
}
",
    right: "\
action at(Int);

process Ring {
    var pos: 0..4 = 3;
    init state s;

    s -> s : at(pos) do pos := (pos + 1) mod 4;
}
",
};

impl OutOfRange {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (value, range) = (&self.value, &self.range);
        let diagnostic = Diagnostic::new(
            entry,
            self.span,
            format!("`{value}` is outside of the range `{range}`"),
        )
        .label(format!("not in `{range}`"))
        .note(match range.split_once("..") {
            Some((low, high)) => format!(
                "the range `{range}` starts with {low} and ends just before {high}: \
                         change the value or the range"
            ),
            None => "change the value or the range".to_owned(),
        });
        match self.declared {
            Some(place) => diagnostic.also(place, "the range is declared here"),
            None => diagnostic,
        }
    }
}
