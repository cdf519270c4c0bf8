//! `N0101`: imported file that cannot be read.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An import of a file that is not there or cannot be read.
#[derive(Clone, Debug)]
pub struct MissingFile {
    /// What is imported, with its quotes.
    pub span: Span,
    /// The file that was looked for.
    pub path: String,
    /// Why it could not be read.
    pub reason: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0101",
    title: "imported file that cannot be read",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A file named in an import is looked for beside the file that has the import in it,
not in the directory the compiler was started in. It was not there, or could not
be read; the message says which path was tried.

Correct the path, or, if a module of the library was meant, write it without
quotes and without `.pnet`. Names that would have come from the file are not
reported again.
",
    wrong: r#"import «"./ccs.pnet"» as ccs;

action coin;

process Machine {
    init state s;

    s -> s : coin;
}

net Paid = ccs.Prefix<coin>(Machine);
"#,
    right: "\
import std.ccs as ccs;

action coin;

process Machine {
    init state s;

    s -> s : coin;
}

net Paid = ccs.Prefix<coin>(Machine);
",
};

impl MissingFile {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("cannot read the file `{}`", self.path))
            .label(self.reason.clone())
            .note(
                "the path starts at the file that imports; \
                 a module of the library is written without quotes: `import std.lotos;`",
            )
    }
}
