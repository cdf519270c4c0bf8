//! `F0102`: line that is no transition.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};
use crate::lts::aut::Flaw;

/// A line of a labelled transition system that is no transition.
#[derive(Clone, Debug)]
pub struct BrokenTransition {
    /// What is not understood.
    pub span: Span,
    /// What is wrong with it.
    pub flaw: Flaw,
    /// Whether the file ends here, without the end of a line.
    pub is_cut: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0102",
    title: "line that is no transition",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
After its first line, a file in the Aldebaran format (`.aut`) has one line for each
transition, `(FROM, LABEL, TO)`. States are numbers. The label goes from the first
comma to the last one; it stands in quotes, or without them.

Transitions with probabilities, as mCRL2 writes them, are not read. A last line that
is not whole means that the tool that wrote the file was stopped: write it again. A
number far beyond those of all other states is a mistake as well, since there would
be a state for each number below it.
",
    wrong: "des (0, 2, 2)\n(0, \"press\", 1)\n(1, \"release\", «nil)»\n",
    right: "des (0, 2, 2)\n(0, \"press\", 1)\n(1, \"release\", 0)\n",
};

impl BrokenTransition {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        if self.flaw == Flaw::FarState {
            return Diagnostic::new(entry, self.span, "this state is far beyond all others")
                .label(self.flaw.to_string())
                .note("number the states from 0 on: each number below takes memory");
        }
        let found = Diagnostic::new(entry, self.span, "this line is no transition")
            .label(self.flaw.to_string());
        if self.is_cut {
            found.note("the file ends in the middle of this line: it was not written to its end")
        } else {
            found.note("a transition looks like `(0, \"press\", 1)`: from, label, to")
        }
    }
}
