//! `A0201`: data forgotten.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A variable whose values are forgotten where a proof is about every size.
#[derive(Clone, Debug)]
pub struct ForgottenData {
    /// Where it is declared.
    pub span: Span,
    /// Its name.
    pub name: String,
    /// The transitions that depend on it.
    pub needed: Vec<Span>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "A0201",
    title: "data forgotten",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A proof for every size looks at finitely many states of each component. Variables with
few values (`Bool`, enumerations, ranges that are known) are part of the states, up to
64 of them, or four for each state of the process; all others are forgotten. A transition
that depends on what is forgotten may happen or not, so nobody can count on it, and the
check stays unknown.

Give the variable a range with few values, if there are no others. A single size has all
its data: `pnet verify --set n=5`.
",
    wrong: "\
const n: Int;
axiom n >= 2;
action work, done;

process Worker {
    var «left»: Int = 3;
    init state busy;
    final state over;

    busy -> busy : work when left > 0  do left := left - 1;
    busy -> over : done when left == 0;
}

net Shop {
    sub W[i: 0..n] = Worker;

    <W[i]: work> -> work for i in 0..n;
    <W[i]: done> -> done for i in 0..n;
}

check deadlock_free(Shop);
",
    right: "\
const n: Int;
axiom n >= 2;
action work, done;

process Worker {
    var left: 0..4 = 3;
    init state busy;
    final state over;

    busy -> busy : work when left > 0  do left := left - 1;
    busy -> over : done when left == 0;
}

net Shop {
    sub W[i: 0..n] = Worker;

    <W[i]: work> -> work for i in 0..n;
    <W[i]: done> -> done for i in 0..n;
}

check deadlock_free(Shop);
",
};

impl ForgottenData {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let said = format!("`{name}` is forgotten where every size is looked at");
        let diagnostic = Diagnostic::new(entry, self.span, said)
            .label("it has too many values to be part of a state")
            .note("give it a range with few values, or look at one size with `--set`");
        self.needed.iter().take(3).fold(diagnostic, |diagnostic, place| {
            diagnostic.also(*place, "depends on it, and so only may happen")
        })
    }
}
