//! `A0104`: state that is never reached.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A state of a process that is never reached.
#[derive(Clone, Debug)]
pub struct NeverReached {
    /// Where it is.
    pub span: Span,
    /// The state.
    pub name: String,
    /// Other places that have to do with it.
    pub others: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "A0104",
    title: "state that is never reached",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
There is a transition into this state, but it can never happen, so the process is
never in this state and whatever it does from there is switched off.

The message shows the ways into the state, and why they are closed.
",
    wrong: "\
action tick, ring, stop;

process Clock {
    var n: Int = 0;
    init state idle;
    state «ringing»;

    idle    -> idle    : tick            do n := (n + 1) mod 4;
    idle    -> ringing : ring when n > 5;
    ringing -> idle    : stop;
}

net Watch {
    sub C = Clock;

    <C: ?a> -> a;
}
",
    right: "\
action tick, ring, stop;

process Clock {
    var n: Int = 0;
    init state idle;
    state ringing;

    idle    -> idle    : tick             do n := (n + 1) mod 4;
    idle    -> ringing : ring when n == 3;
    ringing -> idle    : stop;
}

net Watch {
    sub C = Clock;

    <C: ?a> -> a;
}
",
};

impl NeverReached {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("the state `{}` is never reached", self.name);
        let diagnostic = Diagnostic::new(entry, self.span, message).label("nothing leads here");
        let others = self.others.iter();
        others.fold(diagnostic, |all, (span, text)| all.also(*span, text.clone()))
            .note("open one of the ways into it, or remove the state")
    }
}
