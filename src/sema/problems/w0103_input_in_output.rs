//! `W0103`: input used in an output.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// An output expression that uses an input of the same action.
#[derive(Clone, Debug)]
pub struct InputInOutput {
    /// The use of the input.
    pub span: Span,
    /// The input.
    pub name: String,
    /// Where the input stands.
    pub input: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "W0103",
    title: "input used in an output",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
What a component offers in an action is fixed before the partner answers: an
output may use the variables and parameters of the process, but not a value that
is only received in the same step. Guards and assignments may use it, since they
come after.

To answer with a received value, store it in a variable and send it in a second
step.
",
    wrong: "\
action swap(Int, Int);

process Cell {
    var v: Int = 0;
    init state s;

    s -> s : swap(?x, «x» + 1) when v > 0 do v := x;
}
",
    right: "\
action swap(Int, Int);

process Cell {
    var v: Int = 0;
    init state s;

    s -> s : swap(?x, v + 1) when v > 0 do v := x;
}
",
};

impl InputInOutput {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let message = format!("the input `{name}` is not known yet where this output is made");
        Diagnostic::new(entry, self.span, message)
            .label("used in an output of the same action")
            .also(self.input, format!("`{name}` is received here, in the same step"))
            .note("outputs use variables and parameters only: store the input, and send it later")
    }
}
