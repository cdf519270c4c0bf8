//! `E0120`: value that need not be one of its sort.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};
use crate::pnet::OwedKind;

/// A value that no step gives, and that need not be one of its sort.
#[derive(Clone, Debug)]
pub struct ValueOutside {
    /// Where it is.
    pub span: Span,
    /// What the value is for.
    pub kind: OwedKind,
    /// What would have to follow from the axioms; nothing where this is false whatever they say.
    pub needs: Option<String>,
    /// Why it is not known whether it does.
    pub unknown: Option<String>,
    /// The instances that led here.
    pub chain: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0120",
    title: "value that need not be one of its sort",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
An initial value, a parameter, a constant or an axiom has a value that goes into a
range, is the place of an array or divides something, and it does not follow from the
axioms that it may. A step with such a value would not happen; but here there is no
step that could be left out, so the model would mean nothing.

Say what is known of the constants with an axiom, or give a value that fits. A value
that is set with `--set` must fit, too.
",
    wrong: "\
const K: Int;
action tick(Int);

process Clock {
    var n: 0..4 = «K»;
    init state s;

    s -> s : tick(n) do n := (n + 1) mod 4;
}
",
    right: "\
const K: Int;
axiom 0 <= K and K < 4;
action tick(Int);

process Clock {
    var n: 0..4 = K;
    init state s;

    s -> s : tick(n) do n := (n + 1) mod 4;
}
",
};

impl ValueOutside {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = match (self.kind, &self.needs) {
            (OwedKind::Range, None) => "this value lies outside its range",
            (OwedKind::Range, Some(_)) => "this value need not lie in its range",
            (OwedKind::Place | OwedKind::Member, None) => "there is no such place",
            (OwedKind::Place | OwedKind::Member, Some(_)) => "there need not be such a place",
            (OwedKind::Divisor, None) => "this is a division by zero",
            (OwedKind::Divisor, Some(_)) => "this can be a division by zero",
            (OwedKind::Call, _) => "the definition of this function need not have a value here",
            (OwedKind::Field, None) => "this value has no such field",
            (OwedKind::Field | OwedKind::Apart, _) => "this value need not have such a field",
        };
        let diagnostic = Diagnostic::new(entry, self.span, message);
        let diagnostic = match (&self.needs, &self.unknown) {
            (None, _) => diagnostic.label("no step gives it, so there is none to leave out"),
            (Some(needs), None) => diagnostic
                .label("this does not follow from the axioms")
                .note(format!("say what is known: `axiom {needs};`")),
            (Some(needs), Some(why)) => diagnostic
                .label("it is not known whether this follows from the axioms")
                .note(format!("the solver was asked for `{needs}`, and {why}")),
        };
        self.chain.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.also(*span, text.clone()))
    }
}
