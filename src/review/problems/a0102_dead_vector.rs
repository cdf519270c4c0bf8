//! `A0102`: vector that can never fire.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A vector that can never fire.
#[derive(Clone, Debug)]
pub struct DeadVector {
    /// Where it is.
    pub span: Span,
    /// What is said there.
    pub label: String,
    /// Other places that have to do with it.
    pub others: Vec<(Span, String)>,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// In which states this is so.
    pub states: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "A0102",
    title: "vector that can never fire",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
In no state that is reached can this vector happen: a member never does what the
vector asks of it, its conditions contradict what the members do, the values of
variables rule it out, or nothing further out takes part in it. What the vector was
written for is silently switched off.

The message shows the texts that contradict each other. Change one of them, or
remove the vector.
",
    wrong: "\
action go(Int), stop;

process Worker {
    var n: Int = 3;
    init state s;

    s -> s : go(n);
    s -> s : stop;
}

net Plant {
    sub W = Worker;

    <W: «go(4)»> -> go(4);
    <W: stop>  -> stop;
}
",
    right: "\
action go(Int), stop;

process Worker {
    var n: Int = 3;
    init state s;

    s -> s : go(n);
    s -> s : stop;
}

net Plant {
    sub W = Worker;

    <W: go(3)> -> go(3);
    <W: stop>  -> stop;
}
",
};

impl DeadVector {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let diagnostic = Diagnostic::new(entry, self.span, "this vector can never fire")
            .label(self.label.clone());
        let others = self.others.iter();
        let diagnostic =
            others.fold(diagnostic, |all, (span, text)| all.also(*span, text.clone()));
        let diagnostic = self.notes.iter().fold(diagnostic, |all, note| all.note(note.clone()));
        diagnostic.note(format!("{}: change one of these texts, or remove the vector", self.states))
    }
}
