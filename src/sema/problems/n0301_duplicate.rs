//! `N0301`: two things with one name.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Something declared twice.
#[derive(Clone, Debug)]
pub struct Duplicate {
    /// The second name.
    pub span: Span,
    /// What kind of thing it is: `process`, `constant`.
    pub what: String,
    /// The name.
    pub name: String,
    /// Where it is declared first.
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0301",
    title: "two things with one name",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Inside one file, the constants, functions, constructors and actions need different
names, and so do the sorts and interfaces, and the processes and nets; inside one
block, its parameters, variables, states, holes and sub-nets do.

Rename one of the two, or remove it. Only actions may share a name, as long as
they have different numbers of arguments.
",
    wrong: "\
const SIZE: Int = 4;
const «SIZE»: Int = 8;
",
    right: "\
const SIZE: Int = 4;
const LARGE: Int = 8;
",
};

impl Duplicate {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (what, name) = (&self.what, &self.name);
        if self.first == self.span {
            return Diagnostic::new(entry, self.span, format!("`{name}` is predefined"))
                .label("cannot be declared again")
                .note("take another name");
        }
        Diagnostic::new(entry, self.span, format!("the {what} `{name}` is declared twice"))
            .label(format!("`{name}` again"))
            .also(self.first, format!("`{name}` is declared here first"))
            .note("rename one of them, or remove it")
    }
}
