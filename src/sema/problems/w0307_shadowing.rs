//! `W0307`: name that hides another.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A name that hides something of the same name.
#[derive(Clone, Debug)]
pub struct Shadowing {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// What is hidden: `parameter`, `constant`.
    pub what: String,
    /// Where that is declared.
    pub first: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0307",
    title: "name that hides another",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
From here on the name means something else than outside, and what it meant outside
cannot be reached any more. That is allowed, but easily misread.

Rename one of the two.
",
    wrong: "\
action tick;

const limit: Int = 8;

process Counter<«limit»: Int> {
    var n: Int = 0;
    init state s;

    s -> s : tick when n < limit do n := n + 1;
}
",
    right: "\
action tick;

const limit: Int = 8;

process Counter<max: Int> {
    var n: Int = 0;
    init state s;

    s -> s : tick when n < max and n < limit do n := n + 1;
}
",
};

impl Shadowing {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, what) = (&self.name, &self.what);
        Diagnostic::new(entry, self.span, format!("`{name}` hides the {what} of the same name"))
            .label("means something else from here on")
            .also(self.first, format!("the {what} `{name}` that is hidden"))
            .note("rename one of them")
    }
}
