//! `P0005`: nesting that is too deep.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Brackets or operators nested deeper than the compiler goes.
#[derive(Clone, Debug)]
pub struct TooDeep {
    /// Where the limit was reached.
    pub span: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0005",
    title: "nesting that is too deep",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Expressions, sorts, instances and sub-connectors can be nested about 200 levels
deep. No model that people write comes near to this; a generated one may, or one
in which hundreds of operators follow each other to the right, as in
`a => b => c => …`.

Name the parts with `fun` or `const` and combine the names: that is also easier to
read in every later message.
",
    wrong: "",
    right: "\
fun low(x: Int): Bool = x < 10;
fun high(x: Int): Bool = x > 90;
fun outside(x: Int): Bool = low(x) or high(x);
",
};

impl TooDeep {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, "this is nested too deeply")
            .label("more than 200 levels deep here")
            .note("give parts of it a name with `fun` or `const`, and combine the names")
    }
}
