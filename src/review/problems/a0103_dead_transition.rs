//! `A0103`: transition that can never happen.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A transition of a process that can never happen.
#[derive(Clone, Debug)]
pub struct DeadTransition {
    /// Where it is.
    pub span: Span,
    /// What is said there.
    pub label: String,
    /// Other places that have to do with it.
    pub others: Vec<(Span, String)>,
    /// What else there is to say.
    pub notes: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "A0103",
    title: "transition that can never happen",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
The state in which this transition starts is reached, but the transition never
happens: its condition contradicts the values that variables can have there, or what
the vectors ask for. It is silently switched off.

The message shows the texts that contradict each other. Change one of them, or
remove the transition.
",
    wrong: "\
action tick, alarm;

process Clock {
    var n: Int = 0;
    init state s;

    s -> s : tick             do n := (n + 1) mod 4;
    s -> s : alarm when «n > 5»;
}

net Watch {
    sub C = Clock;

    <C: ?a> -> a;
}
",
    right: "\
action tick, alarm;

process Clock {
    var n: Int = 0;
    init state s;

    s -> s : tick              do n := (n + 1) mod 4;
    s -> s : alarm when n == 3;
}

net Watch {
    sub C = Clock;

    <C: ?a> -> a;
}
",
};

impl DeadTransition {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let diagnostic = Diagnostic::new(entry, self.span, "this transition can never happen")
            .label(self.label.clone());
        let others = self.others.iter();
        let diagnostic =
            others.fold(diagnostic, |all, (span, text)| all.also(*span, text.clone()));
        let diagnostic = self.notes.iter().fold(diagnostic, |all, note| all.note(note.clone()));
        diagnostic.note("change one of these texts, or remove the transition")
    }
}
