//! `W0309`: import that is never used.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An import of which nothing is used.
#[derive(Clone, Debug)]
pub struct UnusedImport {
    /// What is imported, or the name in the list.
    pub span: Span,
    /// The module, or the name.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0309",
    title: "import that is never used",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
Nothing that this import brings in is used in the file. It costs nothing, but
whoever reads the file looks for what is not there, and perhaps a name in the file
was meant to be one of the module.

Remove the import, or the name from its list.
",
    wrong: "\
import «std.ccs»;

action tick;

process Clock {
    init state s;

    s -> s : tick;
}
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}
",
};

impl UnusedImport {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("the import of `{}` is never used", self.name))
            .label("nothing from here is used")
            .note("remove the import, or use what it brings in")
    }
}
