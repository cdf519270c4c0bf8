//! `A0106`: condition that is always true.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};
use crate::sema::RangeEnd;

/// A condition that is always true.
#[derive(Clone, Debug)]
pub struct AlwaysTrue {
    /// Where it is.
    pub span: Span,
    /// What it compares with the end of its range.
    pub end: Option<RangeEnd>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "A0106",
    title: "condition that is always true",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
In every state in which it is asked, this condition holds: the values that the
variables can have there make it true. It may be left out; more often it shows that a
variable does not change as it was meant to.
",
    wrong: "\
action tick(Int);

process Clock {
    var n: Int = 0;
    init state s;

    s -> s : tick(n) when «n < 4» do n := (n + 1) mod 4;
}

net Watch {
    sub C = Clock;

    <C: tick(x)> -> tick(x);
}
",
    right: "\
action tick(Int);

process Clock {
    var n: Int = 0;
    init state s;

    s -> s : tick(n) do n := (n + 1) mod 4;
}

net Watch {
    sub C = Clock;

    <C: tick(x)> -> tick(x);
}
",
};

impl AlwaysTrue {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let diagnostic = Diagnostic::new(entry, self.span, "this condition is always true")
            .label("it holds in every state in which it is asked");
        match &self.end {
            Some(end) => end.explain(diagnostic),
            None => diagnostic
                .note("leave it out, or see whether the variables change as they should"),
        }
    }
}
