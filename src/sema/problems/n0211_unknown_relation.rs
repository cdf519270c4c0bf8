//! `N0211`: unknown relation.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A relation that nobody has declared.
#[derive(Clone, Debug)]
pub struct UnknownRelation {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The relation that was probably meant.
    pub similar: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0211",
    title: "unknown relation",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`by R` after a check gives the relation between the states of the two systems that
is to be used as the proof. It is declared with `relation R(A, B) { … }`, and
there is none of this name.

Without `by`, the compiler looks for a relation itself.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

relation Same(Clock, Clock) {
    (s, s);
}

check weakly_bisimilar(Clock, Clock) by «Sane»;
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

relation Same(Clock, Clock) {
    (s, s);
}

check weakly_bisimilar(Clock, Clock) by Same;
",
};

impl UnknownRelation {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        Diagnostic::new(entry, self.span, format!("unknown relation `{name}`"))
            .label("no relation of this name")
            .note(format!(
                "a new relation is declared with `relation {name}(…, …) {{ … }}`; \
                 without `by`, one is looked for"
            ))
            .did_you_mean(self.span, self.similar.as_deref())
    }
}
