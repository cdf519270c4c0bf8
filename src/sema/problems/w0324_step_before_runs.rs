//! `W0324`: what follows a step is asked before it.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// `p => A f` or `p => E f`, where `p` is a step.
#[derive(Clone, Debug)]
pub struct StepBeforeRuns {
    /// What is said behind `=>`.
    pub span: Span,
    /// The step.
    pub step: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0324",
    title: "what follows a step is asked before it",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A step in a formula is the next step: in `p => f` it has not been made yet. `A f` and `E f` are
about all runs, or some, from this configuration, also about those that do not make the step:
`AG (ask => AF grant)` asks for a `grant` wherever an `ask` is possible, asked or not.

Of the configuration to which the step leads, write `AG (after ask => AF grant)`; of the run that
makes it, `G (ask => F grant)`, without `A`; of the configuration before it,
`<ask> true => AF grant`.
",
    wrong: "\
action ask, grant, wait;

process Server {
    init state s;
    state busy;

    s    -> busy : ask;
    busy -> s    : grant;
    s    -> s    : wait;
}

check not holds(Server, AG (ask => «AF grant»));
",
    right: "\
action ask, grant, wait;

process Server {
    init state s;
    state busy;

    s    -> busy : ask;
    busy -> s    : grant;
    s    -> s    : wait;
}

check holds(Server, AG (after ask => AF grant));
",
};

impl StepBeforeRuns {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "this is asked before the step, and not after it")
            .label("speaks of the runs from where the step is possible, also of those that do not make it")
            .also(self.step, "the next step")
            .note("write `after p => A f` for what is so after the step, `p => F q` without `A` for the run that makes it, or `<p> true => A f` for what is meant here")
    }
}
