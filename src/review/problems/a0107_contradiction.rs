//! `A0107`: conditions that contradict each other.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Conditions that contradict each other.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// Where it is.
    pub span: Span,
    /// Other places that have to do with it.
    pub others: Vec<(Span, String)>,
    /// What can never happen because of it.
    pub dead: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "A0107",
    title: "conditions that contradict each other",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
These conditions can never hold together, whatever the values are, so what they guard
can never happen.

Change one of them: often an `and` should be an `or`, or a comparison points the
wrong way.
",
    wrong: "\
action tick, alarm;

process Clock {
    var n: Int = 0;
    init state s;

    s -> s : tick                       do n := n + 1;
    s -> s : alarm when «n > 5» and n < 3;
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

    s -> s : tick                       do n := n + 1;
    s -> s : alarm when n > 5 and n < 9;
}

net Watch {
    sub C = Clock;

    <C: ?a> -> a;
}
",
};

impl Contradiction {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let diagnostic = Diagnostic::new(entry, self.span, "these conditions contradict each other")
            .label("this cannot hold together with …");
        let mut others = self.others.iter();
        let diagnostic = match others.next() {
            Some((span, _)) => diagnostic.also(*span, "… this"),
            None => diagnostic,
        };
        others.fold(diagnostic, |all, (span, text)| all.also(*span, text.clone()))
            .note("change one of them: as they are, what they guard can never happen")
    }
}
