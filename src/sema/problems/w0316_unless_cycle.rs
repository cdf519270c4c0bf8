//! `W0316`: vectors that wait for each other.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Vectors that give way to each other in a circle.
#[derive(Clone, Debug)]
pub struct UnlessCycle {
    /// The first vector.
    pub span: Span,
    /// The others: each is what the one before gives way to, and the last gives way to the first.
    pub others: Vec<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0316",
    title: "vectors that wait for each other",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A vector with `unless` gives way to what stands there, and priorities let a vector give
way as well. These lead in a circle: each vector gives way to the next, and the last to
the first. Where all of them could happen, none of them does.

Let one of them go first: remove its `unless`, or give it a condition.
",
    wrong: "\
action go, halt;

process Motor {
    init state s;

    s -> s : go;
    s -> s : halt;
}

net Drive {
    sub M = Motor;

    «<M: go>   -> go unless <M: halt>»;
    <M: halt> -> halt unless <M: go>;
}
",
    right: "\
action go, halt;

process Motor {
    init state s;

    s -> s : go;
    s -> s : halt;
}

net Drive {
    sub M = Motor;

    <M: go>   -> go unless <M: halt>;
    <M: halt> -> halt;
}
",
};

impl UnlessCycle {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = match self.others.len() {
            0 => "this vector gives way to itself".to_owned(),
            count => format!("{} vectors give way to each other in a circle", count + 1),
        };
        let first = match self.others.as_slice() {
            [] => "so it can never happen",
            [_] => "this gives way to the other one",
            _ => "this gives way to the second",
        };
        let diagnostic = Diagnostic::new(entry, self.span, message).label(first);
        let last = self.others.len();
        let places = self.others.iter().enumerate();
        let diagnostic = places.fold(diagnostic, |all, (at, span)| {
            let text = if at + 1 == last {
                "which gives way to the first".to_owned()
            } else {
                format!("number {}, which gives way to number {}", at + 2, at + 3)
            };
            all.also(*span, text)
        });
        diagnostic.note("where all of them could happen, none does: let one of them go first")
    }
}
