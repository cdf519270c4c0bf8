//! `F0104`: counts that are not those of the file.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// The header says another number of transitions or states than there are.
#[derive(Clone, Debug)]
pub struct WrongCounts {
    /// The header.
    pub span: Span,
    /// How many transitions and states it says that there are.
    pub said: (u64, u64),
    /// How many there are.
    pub found: (u64, u64),
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0104",
    title: "counts that are not those of the file",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
The first line of a file in the Aldebaran format (`.aut`) says how many transitions
and states there are. Here the file has others. What is in the file counts. (States
that no transition speaks of are no mistake, unless there are very many: then these
are left out.)

If there are fewer transitions than the header says, the file may have been cut at
the end of a line: then write it again.
",
    wrong: "«des (0, 3, 2)»\n(0, \"press\", 1)\n(1, \"release\", 0)\n",
    right: "des (0, 2, 2)\n(0, \"press\", 1)\n(1, \"release\", 0)\n",
};

impl WrongCounts {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let ((transitions, states), (lines, numbers)) = (self.said, self.found);
        let message = format!(
            "the header says {transitions} transitions and {states} states, the file has {lines} and {numbers}"
        );
        let found = Diagnostic::new(entry, self.span, message).label("the counts are not relied on");
        if lines < transitions {
            found.note("if the file was cut, write it again: what is missing is not known")
        } else {
            found.note("what is in the file counts")
        }
    }
}
