//! `F0304`: line of a component file that is no transition.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A line that is no transition, or a file without any.
#[derive(Clone, Debug)]
pub struct NoTransition {
    /// Where.
    pub span: Span,
    /// Whether the file looks like one of Aldebaran.
    pub is_aldebaran: bool,
    /// Whether there is no transition at all.
    pub is_empty: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0304",
    title: "line of a component file that is no transition",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A component file of rtab has one transition a line, `state -> state : port`, with blanks
around `->` and `:`. The first state that is mentioned is the initial one. Although such a
file ends in `.aut`, it is no labelled transition system of Aldebaran, which begins with
`des (…)`; rtab itself stops at lines of other forms.
",
    wrong: "idle -> busy : recv\n«busy -- send --> idle»\n",
    right: "idle -> busy : recv\nbusy -> idle : send\n",
};

impl NoTransition {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = match self.is_empty {
            true => "this component has no transitions",
            false => "this line is no transition",
        };
        let note = match self.is_aldebaran {
            true => "this is a file of Aldebaran; a component of rules has lines `state -> state : port`",
            false => "write `state -> state : port`",
        };
        Diagnostic::new(entry, self.span, message).note(note)
    }
}
