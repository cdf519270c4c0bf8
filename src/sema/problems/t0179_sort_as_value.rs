//! `T0179`: sort used as a value.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A sort where a value is wanted.
#[derive(Clone, Debug)]
pub struct SortAsValue {
    /// The text.
    pub span: Span,
    /// The name of the parameter; nothing where it is another sort.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0179",
    title: "sort used as a value",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A parameter that stands for a sort can be used where sorts stand: after `:`, and in
angle brackets. It has no value itself.

Use a variable, a parameter or a constant that has this sort; two values can be compared,
two sorts cannot.
",
    wrong: "\
fun count<T>(x: T): Int = if x == «T» then 1 else 0;
",
    right: "\
fun count<T>(x: T, y: T): Int = if x == y then 1 else 0;
",
};

impl SortAsValue {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = match self.name.as_str() {
            "" => "a sort is not a value".to_owned(),
            name => format!("`{name}` stands for a sort, which is not a value"),
        };
        Diagnostic::new(entry, self.span, message)
            .label("a value is wanted")
            .note("use a variable or a parameter that has this sort")
    }
}
