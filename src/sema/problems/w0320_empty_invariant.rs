//! `W0320`: invariant without conditions.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An invariant that says nothing.
#[derive(Clone, Debug)]
pub struct EmptyInvariant {
    /// Its name.
    pub span: Span,
    /// Its name.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0320",
    title: "invariant without conditions",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
An invariant says what holds in all configurations of a net: conditions over its
variables and states, each of which ends with `;`. Without any, it holds everywhere
and proves only what is true in every configuration, reachable or not.

Write the reason why the net is right. The claim itself is a good first condition.
",
    wrong: "\
action tick;

process Clock {
    var t: Int = 0;
    init state s;

    s -> s : tick do t := t + 1;
}

invariant «Forward» of Clock {}

check always(Clock, t >= 0) by Forward;
",
    right: "\
action tick;

process Clock {
    var t: Int = 0;
    init state s;

    s -> s : tick do t := t + 1;
}

invariant Forward of Clock {
    t >= 0;
}

check always(Clock, t >= 0) by Forward;
",
};

impl EmptyInvariant {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("the invariant `{}` says nothing", self.name))
            .label("it has no conditions")
            .note("write what holds in all configurations, as in `t >= 0;`")
    }
}
