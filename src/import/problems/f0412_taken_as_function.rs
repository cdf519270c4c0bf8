//! `F0412`: extern function that is taken as a function.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An extern function that is used.
#[derive(Clone, Debug)]
pub struct TakenAsFunction {
    /// Where it is declared.
    pub span: Span,
    /// Its name.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0412",
    title: "extern function that is taken as a function",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
What an extern function does is not known. In the model it is a function without a
definition: any function of these types, which gives the same result for the same
arguments. What is proved holds for all of them. One that gives other results each time,
as a random number, or that changes something, is not this model.
",
    wrong: "package P\n  port type Sig()\n  extern function int «f»(int)\n  const data int Max = f(2)\nend\n",
    right: "package P\n  port type Sig()\n  const data int Max = 2\nend\n",
};

impl TakenAsFunction {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("`{}` is taken as a function of its arguments", self.name);
        Diagnostic::new(entry, self.span, message)
            .note("if it gives other results each time, or changes something, the model is not this system")
    }
}
