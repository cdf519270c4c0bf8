//! `T0112`: division by zero.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A `div` or `mod` by something that is always zero.
#[derive(Clone, Debug)]
pub struct DivisionByZero {
    /// The divisor.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0112",
    title: "division by zero",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The right-hand side of this `div` or `mod` is zero whatever the variables are, so
the operation has no result.

If a divisor can become zero while the model runs, test it first, in the guard or
with `if d == 0 then … else n div d`.
",
    wrong: "\
fun half(n: Int): Int = n div «0»;
",
    right: "\
fun half(n: Int): Int = n div 2;
",
};

impl DivisionByZero {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "division by zero").label("this is always zero").note(
            "divide by something else, or test for zero before: `if d == 0 then 0 else n div d`",
        )
    }
}
