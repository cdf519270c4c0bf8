//! `E0121`: range that need not have a value.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A range that is a sort, and need not have a value.
#[derive(Clone, Debug)]
pub struct EmptySort {
    /// Where it is.
    pub span: Span,
    /// What would have to follow from the axioms; nothing where this is false whatever they say.
    pub needs: Option<String>,
    /// Why it is not known whether it does.
    pub unknown: Option<String>,
    /// The instances that led here.
    pub chain: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0121",
    title: "range that need not have a value",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A range that is the sort of a variable, a parameter, a field or an argument must have a
value: without one, nothing could be done with it, and anything could be said about it.
Where its bounds are symbolic, this must follow from the axioms. (A `for`, or a
quantifier, may go through a range without values.)

Say what is known of the bounds with an axiom.
",
    wrong: "\
const N: Int;
action send(«0..N»);

process Sender {
    init state s;

    s -> s : send(0);
}
",
    right: "\
const N: Int;
axiom N >= 1;
action send(0..N);

process Sender {
    init state s;

    s -> s : send(0);
}
",
};

impl EmptySort {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let diagnostic = match (&self.needs, &self.unknown) {
            (None, _) => Diagnostic::new(entry, self.span, "this sort has no values")
                .label("the first bound must be less than the second"),
            (Some(needs), None) => {
                Diagnostic::new(entry, self.span, "this sort need not have a value")
                    .label("it does not follow from the axioms that it has one")
                    .note(format!("say what is known: `axiom {needs};`"))
            }
            (Some(needs), Some(why)) => {
                Diagnostic::new(entry, self.span, "it is not known whether this sort has a value")
                    .label("this must follow from the axioms")
                    .note(format!("the solver was asked for `{needs}`, and {why}"))
            }
        };
        self.chain.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.also(*span, text.clone()))
    }
}
