//! `A0105`: hole that can never move.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A hole that can never move.
#[derive(Clone, Debug)]
pub struct StillHole {
    /// Where it is.
    pub span: Span,
    /// The hole.
    pub path: String,
    /// Other places that have to do with it.
    pub others: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "A0105",
    title: "hole that can never move",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
Whatever fills this hole, it can never do anything: every vector in which it takes
part is impossible in all states that are reached. Checks about such a net hold for
the wrong reason.

The message shows the vectors, and what stands in their way.
",
    wrong: "\
action work, go(Int), stop;

interface Worker { work }

process Control {
    var n: Int = 0;
    init state s;

    s -> s : go(n);
    s -> s : stop;
}

net Plant(«P»: Worker) {
    sub C = Control;

    <P: work, C: go(1)> -> work;
    <C: stop>           -> stop;
}
",
    right: "\
action work, go(Int), stop;

interface Worker { work }

process Control {
    var n: Int = 0;
    init state s;

    s -> s : go(n);
    s -> s : stop;
}

net Plant(P: Worker) {
    sub C = Control;

    <P: work, C: go(0)> -> work;
    <C: stop>           -> stop;
}
",
};

impl StillHole {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("the hole `{}` can never move", self.path);
        let diagnostic = Diagnostic::new(entry, self.span, message)
            .label("whatever fills it, it is never allowed to do anything");
        let others = self.others.iter();
        others.fold(diagnostic, |all, (span, text)| all.also(*span, text.clone()))
            .note("change what stands in its way, or remove the hole")
    }
}
