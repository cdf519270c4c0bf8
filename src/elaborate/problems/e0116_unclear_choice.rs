//! `E0116`: part that is one thing or another, and nobody knows which.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Part that is one thing or another, and nobody knows which.
#[derive(Clone, Debug)]
pub struct UnclearChoice {
    /// The condition.
    pub span: Span,
    /// The part.
    pub part: String,
    /// The instances that led here.
    pub chain: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0116",
    title: "part of which it is not known what it is",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`sub P = if n > 1 then A else B;` is decided when the net is built, so the condition needs
values: those of indices, parameters and constants.

Give the parameter a value where the net is used, or set the constant with `--set`.
",
    wrong: "\
const FAST: Bool;
action tick;

process Slow {
    init state s;
    state t;

    s -> t : tick;
    t -> s : tau;
}

process Quick {
    init state s;

    s -> s : tick;
}

net Clock {
    sub P = if «FAST» then Quick else Slow;

    <P: tick> -> tick;
    <P: tau>  -> tau;
}
",
    right: "\
const FAST: Bool = true;
action tick;

process Slow {
    init state s;
    state t;

    s -> t : tick;
    t -> s : tau;
}

process Quick {
    init state s;

    s -> s : tick;
}

net Clock {
    sub P = if FAST then Quick else Slow;

    <P: tick> -> tick;
    <P: tau>  -> tau;
}
",
};

impl UnclearChoice {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let diagnostic = Diagnostic::new(entry, self.span, format!("it is not known what `{}` is: the condition has no value", self.part))
            .label("not known when the net is built")
            .note("give the parameter or constant a value, for example with `--set`");
        self.chain.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.also(*span, text.clone()))
    }
}
