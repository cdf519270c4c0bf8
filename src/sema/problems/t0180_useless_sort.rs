//! `T0180`: sort that no call can tell.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A sort of a function that its parameters and its result do not speak of.
#[derive(Clone, Debug)]
pub struct UselessSort {
    /// The text.
    pub span: Span,
    /// The parameter.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0180",
    title: "sort that no call can tell",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The sorts that a function is over are found out from the arguments and the result of
each call. One that neither speaks of could never be known.

Use it in the sorts of the parameters or of the result, or remove it.
",
    wrong: "\
fun twice<«T»>(x: Int): Int = x + x;
",
    right: "\
fun twice(x: Int): Int = x + x;
",
};

impl UselessSort {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("no call can tell what `{name}` stands for"))
            .label("neither the parameters nor the result speak of it")
            .note(format!("use `{name}` in the sorts of the parameters or of the result, or remove it"))
    }
}
