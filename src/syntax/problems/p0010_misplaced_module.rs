//! `P0010`: module line that does not come first.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A `module` after other items.
#[derive(Clone, Debug)]
pub struct MisplacedModule {
    /// The word `module`.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0010",
    title: "module line that does not come first",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`module name;` says what the whole file is called. It stands first in the file,
before all imports and declarations, and at most once. It may be left out: then
the file is known by its file name.
",
    wrong: "\
action tick;

«module» clocks;

process Clock {
    init state s;

    s -> s : tick;
}
",
    right: "\
module clocks;

action tick;

process Clock {
    init state s;

    s -> s : tick;
}
",
};

impl MisplacedModule {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "`module` has to come first in the file")
            .label("other items stand before this")
            .note("move it to the top of the file; a file has at most one")
    }
}
