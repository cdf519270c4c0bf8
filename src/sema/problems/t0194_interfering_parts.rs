//! `T0194`: `noninterfering` without two parts of a net.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Something that stands where a part of a net is wanted.
#[derive(Clone, Debug)]
pub struct InterferingParts {
    /// Where it was written.
    pub span: Span,
    /// What was written.
    pub text: String,
    /// The parts of the net that have processes in them.
    pub known: Vec<String>,
    /// What is wrong with it.
    pub mistake: PartMistake,
}

/// What is wrong with something that stands where a part of a net is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartMistake {
    /// It is none.
    NoPart,
    /// It was named before.
    Twice,
    /// It has other processes than this one.
    Other(String),
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0194",
    title: "`noninterfering` without two parts of a net",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`noninterfering(S, M1, M2, f)` asks whether two parts of a net leave each other alone: `f` holds
of each of them by itself, and still does in `S`. The parts are named as in the net, `M1` or
`M[0]`, and `f` speaks of one part: of its states, its variables, and of what it does. So both
have the same processes in the same places; what these are given may differ.
",
    wrong: "\
action work;

process Worker {
    init state idle;
    state busy;

    idle -> busy : work;
    busy -> idle : work;
}

net Two {
    sub A = Worker;
    sub B = Worker;

    <A: work> -> work;
    <B: work> -> work;
}

check noninterfering(Two, A, «C», A F busy);
",
    right: "\
action work;

process Worker {
    init state idle;
    state busy;

    idle -> busy : work;
    busy -> idle : work;
}

net Two {
    sub A = Worker;
    sub B = Worker;

    <A: work> -> work;
    <B: work> -> work;
}

check noninterfering(Two, A, B, AG <work> true);
",
};

impl InterferingParts {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let InterferingParts { text, known, mistake, .. } = self;
        let (message, label) = match mistake {
            PartMistake::Twice => (format!("`{text}` is named twice"), "the same part"),
            PartMistake::NoPart => {
                (format!("`{text}` is no part of the net with processes in it"), "not a part")
            }
            PartMistake::Other(first) => (
                format!("`{text}` and `{first}` do not have the same processes in them"),
                "a formula about one of them means nothing of the other",
            ),
        };
        let parts: Vec<String> = known.iter().map(|part| format!("`{part}`")).collect();
        let found = Diagnostic::new(entry, self.span, message)
            .label(label);
        match known.is_empty() {
            true => found.note("the net has no parts"),
            false => found.note(format!("its parts are {}", parts.join(", "))),
        }
    }
}
