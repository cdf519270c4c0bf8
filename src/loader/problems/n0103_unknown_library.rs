//! `N0103`: unknown module of the library.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An import of a module that the library does not have.
#[derive(Clone, Debug)]
pub struct UnknownLibrary {
    /// The module's name.
    pub span: Span,
    /// The module's name.
    pub name: String,
    /// The module that was probably meant.
    pub similar: Option<String>,
    /// The modules there are.
    pub known: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0103",
    title: "unknown module of the library",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A name without quotes in an import, such as `std.lotos`, means a module of the
library that comes with the compiler. There is none of this name.

To import a file of your own, write its path between quotes:
`import \"./timer.pnet\";`.
",
    wrong: "\
import «std.lotoss»;

action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Silent = Hide<{ tick }>(Clock);
",
    right: "\
import std.lotos;

action tick;

process Clock {
    init state s;

    s -> s : tick;
}

net Silent = Hide<{ tick }>(Clock);
",
};

impl UnknownLibrary {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("the library has no module `{}`", self.name);
        Diagnostic::new(entry, self.span, message)
            .label("unknown module")
            .note(format!("the modules of the library are {}", list(&self.known, "and")))
            .note("write a file of your own between quotes: `import \"./timer.pnet\";`")
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
