//! `E0123`: condition in brackets that is not known.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Condition in brackets that is not known.
#[derive(Clone, Debug)]
pub struct UnclearCondition {
    /// Where it is: the condition, or the data that it reads.
    pub span: Span,
    /// The data that may have too many values.
    pub data: Option<String>,
    /// The instances that led here.
    pub chain: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0123",
    title: "condition in brackets that is not known",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The condition in brackets says who takes part in a vector, so it must be known when the
net is built. It may read indices, parameters and constants that have values; and data of
the vector that has only so many values: that of a range, an enumeration, a truth value, or
data that chooses a member of a family. Then there is one vector for each value.

Give the action a range in place of `Int`, or the constant a value.
",
    wrong: "\
action go(Int), tick;

process Chair {
    init state s;

    s -> s : go(1);
}

process Member {
    init state s;

    s -> s : tick;
}

net Council {
    sub C = Chair;
    sub S[i: 0..3] = Member;

    <C: go(k), [S[i]: tick for i in 0..3 when i != «k»]> -> go(k);
}
",
    right: "\
action go(0..3), tick;

process Chair {
    init state s;

    s -> s : go(1);
}

process Member {
    init state s;

    s -> s : tick;
}

net Council {
    sub C = Chair;
    sub S[i: 0..3] = Member;

    <C: go(k), [S[i]: tick for i in 0..3 when i != k]> -> go(k);
}
",
};

impl UnclearCondition {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let diagnostic = match &self.data {
            Some(name) => Diagnostic::new(entry, self.span, format!("who takes part depends on `{name}`, which may have any number of values"))
                .label("not known when the net is built")
                .note("give the argument of the action a range or an enumeration as its sort"),
            None => Diagnostic::new(entry, self.span, "it is not known who takes part: this condition depends on a symbolic constant or parameter")
                .label("not known when the net is built")
                .note("give it a value, for example with `--set`"),
        };
        self.chain.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.also(*span, text.clone()))
    }
}
