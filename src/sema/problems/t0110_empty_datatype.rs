//! `T0110`: data without any finite value.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A datatype that has no value at all.
#[derive(Clone, Debug)]
pub struct EmptyDatatype {
    /// The sort's name.
    pub span: Span,
    /// The sort's name.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0110",
    title: "data without any finite value",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Every constructor of this sort needs a value of the same sort to begin with, so
none can ever be built: values are finite. A component that waits for such a value
would wait for ever.

Add a constructor that does not need one, as the empty list is for lists.
",
    wrong: "\
data «List» { Cons(head: Int, tail: List) }
",
    right: "\
data List { Nil, Cons(head: Int, tail: List) }
",
};

impl EmptyDatatype {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("the sort `{name}` has no values"))
            .label(format!("each constructor needs a `{name}` before there is any"))
            .note(format!(
                "add a constructor that does not contain another `{name}`, such as `Nil`"
            ))
    }
}
