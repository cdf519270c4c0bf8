//! `A0108`: net that can do nothing.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A net that can do nothing at all.
#[derive(Clone, Debug)]
pub struct StuckInitially {
    /// Where it is.
    pub span: Span,
    /// The net.
    pub name: String,
    /// Other places that have to do with it.
    pub others: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "A0108",
    title: "net that can do nothing",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
In its initial state no open transition is possible, so the net never does anything.
Every check that says that something bad never happens holds for the wrong reason.

The message shows what stands in the way of the first things that could happen.
",
    wrong: "\
action go(Int);

process Worker {
    var n: Int = 3;
    init state s;

    s -> s : go(n);
}

net «Plant» {
    sub W = Worker;

    <W: go(4)> -> go(4);
}
",
    right: "\
action go(Int);

process Worker {
    var n: Int = 3;
    init state s;

    s -> s : go(n);
}

net Plant {
    sub W = Worker;

    <W: go(3)> -> go(3);
}
",
};

impl StuckInitially {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("`{}` can do nothing at all", self.name);
        let diagnostic = Diagnostic::new(entry, self.span, message)
            .label("nothing is possible in its initial state");
        let others = self.others.iter();
        others.fold(diagnostic, |all, (span, text)| all.also(*span, text.clone()))
            .note("open one of the ways that are closed here")
    }
}
