//! `P0013`: misspelt keyword.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A word that is nearly the keyword that belongs here.
#[derive(Clone, Debug)]
pub struct MisspeltKeyword {
    /// The word.
    pub span: Span,
    /// The word that was written.
    pub found: String,
    /// The keyword that was probably meant.
    pub meant: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0013",
    title: "misspelt keyword",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A declaration starts with a keyword: `process`, `net`, `action`, `const` and so
on. This word is none, but nearly one. The declaration is read as if the keyword
had been written, so that no other message follows from this one.
",
    wrong: "\
action tick;

«proces» Clock {
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

impl MisspeltKeyword {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("`{}` is not a keyword", self.found))
            .label(format!("expected a keyword, probably `{}`", self.meant))
            .note("a statement starts with a keyword, unless it is a transition or a vector")
            .did_you_mean(self.span, Some(&self.meant))
    }
}
