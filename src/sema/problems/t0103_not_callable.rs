//! `T0103`: something that takes no arguments.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Something applied to arguments that is neither a function nor a constructor.
#[derive(Clone, Debug)]
pub struct NotCallable {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// What it is: `constant`, `parameter`.
    pub what: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0103",
    title: "something that takes no arguments",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Only functions, constructors and actions take arguments in round brackets. What
stands before the bracket here is a plain value.

To read an array write `m[i]`; to give a component its parameters write
`Timer<3>`.
",
    wrong: "\
const LIMIT: Int = 8;

fun below(n: Int): Bool = n < «LIMIT»(1);
",
    right: "\
const LIMIT: Int = 8;

fun below(n: Int): Bool = n < LIMIT;
",
};

impl NotCallable {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, what) = (&self.name, &self.what);
        Diagnostic::new(entry, self.span, format!("the {what} `{name}` takes no arguments"))
            .label("neither a function nor a constructor")
            .note("remove the arguments; an array is read with square brackets: `m[i]`")
    }
}
