//! `N0104`: imported name that is taken.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An import that brings in a name which something else has already.
#[derive(Clone, Debug)]
pub struct ImportClash {
    /// The import, or the name in its list.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The other import, or the declaration in this file.
    pub other: Span,
    /// Whether the other is an import.
    pub other_is_import: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0104",
    title: "imported name that is taken",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Two different things would have the same name in this file, because two imports
bring it in, or because an import asks by name for something that the file
declares itself. The compiler does not choose between them.

Give one of the modules a name of its own, `import std.ccs as ccs;`, and write
`ccs.Choice`. Or list only the names you need, or rename your own declaration.
",
    wrong: "\
import std.ccs («Choice»);

net Choice(P: any, Q: any) {
    <P: ?a> -> a;
    <Q: ?a> -> a;
}

net Either(P: any, Q: any) = Choice(P, Q);
",
    right: "\
import std.ccs (Choice);

net Merge(P: any, Q: any) {
    <P: ?a> -> a;
    <Q: ?a> -> a;
}

net Either(P: any, Q: any) = Choice(P, Q);
",
};

impl ImportClash {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let (message, other) = if self.other_is_import {
            let message = format!("two imports bring in different things called `{name}`");
            (message, format!("`{name}` already comes from here"))
        } else {
            let message = format!("the imported name `{name}` is also declared in this file");
            (message, format!("`{name}` is declared here"))
        };
        Diagnostic::new(entry, self.span, message)
            .label(format!("brings in another `{name}`"))
            .also(self.other, other)
            .note(format!(
                "import the module under a name, as in `import … as lib;`, and write `lib.{name}`"
            ))
    }
}
