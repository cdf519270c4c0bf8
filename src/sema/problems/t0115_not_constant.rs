//! `T0115`: number that is not constant.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A bound of a range, or a figure of a check, that is not known when the model is compiled.
#[derive(Clone, Debug)]
pub struct NotConstant {
    /// What is not constant.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0115",
    title: "number that is not constant",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A constant number is wanted. The bounds of a range decide how many values a
variable has, or how many members a family. They are fixed before anything runs:
only numbers, constants and value parameters can be used in them, combined with
the usual operators. Variables change, and so they cannot.

Use a parameter or a constant, or take the sort `Int` and test the value in
guards.
",
    wrong: "\
action at(Int);

process Ring {
    var top: Int = 4;
    var pos: 0..«top» = 0;
    init state s;

    s -> s : at(pos) when top > 0 do top := top - 1;
}
",
    right: "\
action at(Int);

process Ring<top: Int> {
    var pos: 0..top = 0;
    init state s;

    s -> s : at(pos) when top > 0;
}
",
};

impl NotConstant {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "this number has to be constant")
            .label("not known before the model runs")
            .note("use numbers, constants and parameters only, or the sort `Int` and a guard")
    }
}
