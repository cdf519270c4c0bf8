//! `W0323`: name in a step of a formula that nothing else knows.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A name that a step of a formula binds for nobody.
#[derive(Clone, Debug)]
pub struct StepName {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// Whether the step is one of those that are made fairly.
    pub fair: bool,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0323",
    title: "name in a step that nothing else knows",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A name in the arguments of a step that means nothing else stands for any value. What it
is can be asked of the step itself, `push(x) and x > 3`, and is known in `f` of `[push(x)] f`,
`<push(x)> f` and `after push(x) => f`. Nowhere else: in `G (ask(i) => F grant(i))` each `i`
is a value of its own, so that an answer to anybody would do.

If all places mean the same value, write `forall i: 0..5 .` before them, or `after ask(i) =>`.
What is fair to each value is `fair { grant(i) for i in 0..5 }`. If any value will do, write
`_`.
",
    wrong: "\
action ask(0..2), grant(0..2);

process Server {
    var who: 0..2 = 0;
    init state s;
    state busy;

    s    -> busy : ask(?i)    do who := i;
    busy -> s    : grant(who);
}

check holds(Server, G (ask(«i») => F grant(_)));
",
    right: "\
action ask(0..2), grant(0..2);

process Server {
    var who: 0..2 = 0;
    init state s;
    state busy;

    s    -> busy : ask(?i)    do who := i;
    busy -> s    : grant(who);
}

check holds(Server, forall i: 0..2 . G (ask(i) => F grant(i)));
",
};

impl StepName {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let note = match self.fair {
            true => format!(
                "what is fair to each value is written `fair {{ a({name}) for {name} in 0..n }}`; write `_` to say that any value will do"
            ),
            false => format!(
                "`forall {name}: 0..n . f` has one value for all places of `f`, and `after a({name}) => f` knows the value in `f`; write `_` to say that any will do"
            ),
        };
        Diagnostic::new(entry, self.span, format!("nothing else knows the `{name}` of this step"))
            .label("any value; in each step it is another one")
            .note(note)
            .suggest("write `_` to allow any value", self.span, "_")
    }
}
