//! `F0332`: variable of a sort that the format does not have.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};
use crate::export::expression::Beyond;

/// A variable of a sort that the format does not have.
#[derive(Clone, Debug)]
pub struct SortInExport {
    /// Where it is declared.
    pub span: Span,
    /// The variable.
    pub variable: String,
    /// The format.
    pub format: &'static str,
    /// What it has no form for.
    pub what: Beyond,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0332",
    title: "variable of a sort that the format does not have",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
BIP has numbers and truth values; mCRL2 has enumerations and datatypes besides. Arrays,
abstract sorts, and actions as values are in neither. Use numbers in place of the values
of an enumeration, or several variables in place of an array.
",
    wrong: "\
action go;
enum Light { Red, Green }

process Lamp {
    var «light»: Light = Red;
    init state s;

    s -> s : go when light == Red do light := Green;
}
",
    right: "\
action go;

process Lamp {
    var is_red: Bool = true;
    init state s;

    s -> s : go when is_red do is_red := false;
}
",
};

impl SortInExport {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("`{}` cannot be a variable of {}", self.variable, self.format);
        Diagnostic::new(entry, self.span, message).note(self.what.words(self.format))
    }
}
