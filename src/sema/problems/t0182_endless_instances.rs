//! `T0182`: instances without end.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Something that would need larger and larger instances of itself.
#[derive(Clone, Debug)]
pub struct EndlessInstances {
    /// The text.
    pub span: Span,
    /// What it is.
    pub name: String,
    /// The instance that it needs.
    pub shown: String,
    /// Whether it is a datatype.
    pub is_data: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0182",
    title: "instances without end",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Each instance of something over sorts is made by itself: `List<Int>` is one sort, and
`len<Int>` one function. What uses itself for sorts that are made of its own, such as
`Nest<Pair<T, T>>` in `Nest<T>`, would need instances without end.
",
    wrong: "\
data Nest<T> { Flat(value: T), Deep(«inner»: Nest<Pair<T, T>>) }
",
    right: "\
data Nest<T> { Flat(value: T), Deep(inner: Nest<T>) }
",
};

impl EndlessInstances {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, shown) = (&self.name, &self.shown);
        let message = format!("`{name}` would need instances without end");
        let label = format!("needs `{shown}`, which needs a larger one");
        let note = match self.is_data {
            true => "inside of a datatype, use it for its own parameters",
            false => "call the function for the sorts that it is over itself",
        };
        Diagnostic::new(entry, self.span, message).label(label).note(note)
    }
}
