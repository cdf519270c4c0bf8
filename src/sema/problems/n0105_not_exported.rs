//! `N0105`: name that the imported module does not have.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A name asked of a module that does not declare it.
#[derive(Clone, Debug)]
pub struct NotExported {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The module.
    pub module: String,
    /// The name that was probably meant.
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0105",
    title: "name that the imported module does not have",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The import lists a name that the other file does not declare. An import brings in
what a file declares itself, not what that file imports from others: such names
have to be imported from where they are declared.
",
    wrong: "\
import std.ccs («Choise»);

net Either(P: any, Q: any) = Choise(P, Q);
",
    right: "\
import std.ccs (Choice);

net Either(P: any, Q: any) = Choice(P, Q);
",
};

impl NotExported {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, module) = (&self.name, &self.module);
        Diagnostic::new(entry, self.span, format!("`{module}` declares nothing called `{name}`"))
            .label(format!("not in `{module}`"))
            .note("only what a file declares itself can be imported, not what it imports")
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
