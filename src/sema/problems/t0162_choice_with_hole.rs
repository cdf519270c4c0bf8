//! `T0162`: hole in a part that is chosen.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A part that is one thing or another leaves a hole open.
#[derive(Clone, Debug)]
pub struct ChoiceWithHole {
    /// What has the hole.
    pub span: Span,
    /// The part.
    pub part: String,
    /// The hole; none where it is one of the net around.
    pub hole: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0162",
    title: "hole in a part that is chosen",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A part with `if` is one thing or another, and nobody could say from outside whether a hole in
one of them is there. So what a part may be has all its holes filled, with components that
stand here, and not with holes of the net around.

Give the part a name of its own without `if`, or make the choice where the hole is filled:
`Ring<5>(P[0]: Lefty, P: Righty)`.
",
    wrong: "\
const N: Int = 3;
action work;

interface Worker { work }

process Bee {
    init state s;

    s -> s : work;
}

net Box(W: Worker) {
    <W: work> -> work;
}

net Hive {
    sub P = if N > 1 then «Box» else Bee;

    <P: work> -> work;
}
",
    right: "\
const N: Int = 3;
action work;

interface Worker { work }

process Bee {
    init state s;

    s -> s : work;
}

net Box(W: Worker) {
    <W: work> -> work;
}

net Hive {
    sub P = if N > 1 then Box(Bee) else Bee;

    <P: work> -> work;
}
",
};

impl ChoiceWithHole {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let part = &self.part;
        match &self.hole {
            Some(hole) => Diagnostic::new(entry, self.span, format!("`{hole}` would be a hole in only some cases"))
                .label("leaves a hole open")
                .note(format!("fill the holes of all that `{part}` may be")),
            None => Diagnostic::new(entry, self.span, format!("a hole is passed on in only some cases of `{part}`"))
                .label("gets a hole of this net")
                .note("pass it on to a part without `if`"),
        }
    }
}
