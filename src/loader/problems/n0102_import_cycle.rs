//! `N0102`: files that import each other.

use super::cycle;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A cycle of imports.
#[derive(Clone, Debug)]
pub struct ImportCycle {
    /// The import that closes the cycle.
    pub span: Span,
    /// The names of the files; the last is the first again.
    pub cycle: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0102",
    title: "files that import each other",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A file can only be understood after the files it imports. Here the imports lead
back to the file they started from, so there is no file to start with.

Move what both files need into a third one that imports neither, and import that.
",
    wrong: r#"import «"./example.pnet"»;

action tick;

process Clock {
    init state s;

    s -> s : tick;
}
"#,
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}
",
};

impl ImportCycle {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        match self.cycle.as_slice() {
            [file] | [file, _] => {
                Diagnostic::new(entry, self.span, format!("the file `{file}` imports itself"))
                    .label("this is the same file")
                    .note("remove the import: everything in a file is known in all of it")
            }
            files => {
                let others = files.len().saturating_sub(1);
                Diagnostic::new(entry, self.span, format!("these {others} files import each other"))
                    .label("this import closes the cycle")
                    .note(format!("the cycle is {}", cycle(files)))
                    .note("move what they share into another file, which imports none of them")
            }
        }
    }
}
