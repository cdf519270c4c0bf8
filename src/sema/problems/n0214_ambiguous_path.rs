//! `N0214`: path with several meanings.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A path that fits several components or variables.
#[derive(Clone, Debug)]
pub struct AmbiguousPath {
    /// The path.
    pub span: Span,
    /// The path.
    pub name: String,
    /// The whole paths it could stand for.
    pub candidates: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0214",
    title: "path with several meanings",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
In a property, a variable or a component can be named by any end of its path:
`left.C.v` can be shortened to `C.v` or `v`, as long as only one fits. Here
several fit. Write enough of the path to say which one is meant.

A relation speaks of two nets. Where both have the same path, `first.` and
`second.` before it say which net is meant: `first.C.v == second.C.v`.
",
    wrong: "\
action tick;

process Clock {
    var t: Int = 0;
    init state s;

    s -> s : tick when t < 12 do t := t + 1;
}

net Two {
    sub A = Clock;
    sub B = Clock;

    <A: tick, B: tick> -> tick;
}

check always(Two, «t» <= 12);
",
    right: "\
action tick;

process Clock {
    var t: Int = 0;
    init state s;

    s -> s : tick when t < 12 do t := t + 1;
}

net Two {
    sub A = Clock;
    sub B = Clock;

    <A: tick, B: tick> -> tick;
}

check always(Two, A.t <= 12);
",
};

impl AmbiguousPath {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let diagnostic =
            Diagnostic::new(entry, self.span, format!("`{name}` could mean several things"))
                .label(format!("could be {}", list(&self.candidates, "or")))
                .note("write enough of the path to say which one is meant");
        self.candidates.iter().take(3).fold(diagnostic, |diagnostic, candidate| {
            diagnostic.did_you_mean(self.span, Some(candidate))
        })
    }
}
