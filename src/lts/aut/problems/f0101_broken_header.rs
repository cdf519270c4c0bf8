//! `F0101`: first line that is no header.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};
use crate::lts::aut::Flaw;

/// The first line of a file is not that of a labelled transition system.
#[derive(Clone, Debug)]
pub struct BrokenHeader {
    /// From where on it is not understood.
    pub span: Span,
    /// What is wrong with it.
    pub flaw: Flaw,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0101",
    title: "first line that is no header",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A file in the Aldebaran format (`.aut`) begins with a line
`des (INITIAL, TRANSITIONS, STATES)`: the number of the initial state, how many
transitions there are, and how many states. Blanks may stand between them.

Perhaps the file has another format, or is empty because the tool that should have
written it was stopped.
",
    wrong: "des (0, 2«)»\n(0, \"press\", 1)\n(1, \"release\", 0)\n",
    right: "des (0, 2, 2)\n(0, \"press\", 1)\n(1, \"release\", 0)\n",
};

impl BrokenHeader {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "the first line is no header of a labelled transition system")
            .label(self.flaw.to_string())
            .note("it looks like `des (0, 4, 3)`: the initial state, then how many transitions, then how many states")
    }
}
