//! `T0191`: formula that makes no sense.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A part of a temporal formula that cannot stand where it does.
#[derive(Clone, Debug)]
pub struct FormulaForm {
    /// The part.
    pub span: Span,
    /// What is wrong with it.
    pub mistake: FormulaMistake,
}

/// What can be wrong.
#[derive(Clone, Debug)]
pub enum FormulaMistake {
    /// A formula where steps are meant.
    NotAStep,
    /// What stands before the `:` is no hole.
    NotAHole,
    /// A variable of a quantifier over formulas without a sort.
    NoSort(String),
    /// A variable of a quantifier over formulas that goes through members.
    Members(String),
    /// A parameter of a property with arguments.
    ArgumentsOfParameter,
    /// A parameter of a property where a value is wanted.
    ParameterAsValue(String),
    /// Properties that are written out are too much.
    TooLarge,
    /// A formula where a value is wanted.
    Value,
    /// What is asked of a step speaks of the configuration in which it is made.
    ConfigurationOfStep,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0191",
    title: "formula that makes no sense",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A temporal formula speaks of *steps* (`fail(_)`, `tau`, `any`, `P: send(_)`, or the name of
a vector or connector), of *configurations* (`C in failed`, `t < max`) and of *runs* (`G`,
`F`, `X`, `U`, `W`, after `A` or `E`).

Between the brackets of `[p] f` and `<p> f`, after `after`, and in `fair { … }` stand steps
alone: a formula there says nothing. The variables of `forall` and `exists` around a formula
have sorts. And a formula is no value: it cannot be compared, or be given to a function.
",
    wrong: "\
action a, b;

process P {
    init state s;

    s -> s : a;
    s -> s : b;
}

check holds(P, AG [«F a»] true);
",
    right: "\
action a, b;

process P {
    init state s;

    s -> s : a;
    s -> s : b;
}

check holds(P, AG [a] true);
",
};

impl FormulaForm {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (message, label, note) = match &self.mistake {
            FormulaMistake::NotAStep => (
                "a formula stands where steps are meant".to_owned(),
                "this says something of runs or configurations",
                "write actions here, as in `[push(_) or pop(_)] f`",
            ),
            FormulaMistake::NotAHole => (
                "what stands before `:` is no hole".to_owned(),
                "the name of a hole is wanted here",
                "write `P: send(_)` for the steps in which the hole `P` does `send`",
            ),
            FormulaMistake::NoSort(name) => (
                format!("`{name}` has no sort"),
                "a sort is wanted after it",
                "write the sort of a variable around a formula, as in `forall i: 0..5 . AG f`",
            ),
            FormulaMistake::Members(name) => (
                format!("`{name}` goes through members"),
                "around a formula, variables stand for values",
                "go through the indices, as in `forall i: 0..5 . AG (P[i] in s => AF P[i] in t)`",
            ),
            FormulaMistake::ArgumentsOfParameter => (
                "a parameter of a property has arguments".to_owned(),
                "a parameter stands for a whole formula",
                "give the arguments where the property is used",
            ),
            FormulaMistake::ParameterAsValue(name) => (
                format!("`{name}` stands for a formula, and not for a value"),
                "a value is wanted here",
                "write the whole comparison where the property is used, as in `never(t > 3)`",
            ),
            FormulaMistake::TooLarge => (
                "the formula is too large".to_owned(),
                "written out, the properties that it uses are too much",
                "use fewer properties inside of others",
            ),
            FormulaMistake::Value => (
                "a formula stands where a value is wanted".to_owned(),
                "this is no value",
                "a formula is joined with others by `not`, `and`, `or` and `=>` only",
            ),
            FormulaMistake::ConfigurationOfStep => (
                "what is asked of a step speaks of a configuration".to_owned(),
                "only values that the step binds can be spoken of here",
                "bind the values around it, and say the rest beside the step: \
                 `forall i: 0..3 . never(put(i, _) and P[i] in s)`, or `P[i] in s => [put(i, _)] f`",
            ),
        };
        Diagnostic::new(entry, self.span, message).label(label).note(note)
    }
}
