//! `T0111`: constants that depend on each other.

use super::cycle;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Constants whose values depend on themselves.
#[derive(Clone, Debug)]
pub struct ConstantCycle {
    /// The first constant's name.
    pub span: Span,
    /// The constants; the last is the first again.
    pub cycle: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0111",
    title: "constants that depend on each other",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The value of this constant is needed to find out the value of this constant. Give
one of the constants in the cycle a value of its own.

For a value that is not fixed in the model, leave it out: `const MAX: Int;` stands
for any number, the same everywhere.
",
    wrong: "\
const «LOW»: Int = HIGH - 10;
const HIGH: Int = LOW + 10;
",
    right: "\
const LOW: Int = 0;
const HIGH: Int = LOW + 10;
",
};

impl ConstantCycle {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = match self.cycle.as_slice() {
            [] => "this constant depends on itself".to_owned(),
            [name] | [name, _] => format!("the constant `{name}` depends on itself"),
            [name, ..] => format!("the constant `{name}` depends on itself through others"),
        };
        let diagnostic = Diagnostic::new(entry, self.span, message)
            .label("its own value is needed to find its value");
        let diagnostic = if self.cycle.len() > 2 {
            diagnostic.note(format!("the cycle is {}", cycle(&self.cycle)))
        } else {
            diagnostic
        };
        diagnostic.note("give one of them a value that needs none of the others")
    }
}
