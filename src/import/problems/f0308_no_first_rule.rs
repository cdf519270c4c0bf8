//! `F0308`: rules with nothing to begin with.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// The rules that come first have parameters.
#[derive(Clone, Debug)]
pub struct NoFirstRule {
    /// The name of the first rules.
    pub span: Span,
    /// The same as text.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0308",
    title: "rules with nothing to begin with",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The first rules of a file describe the whole system. They have no parameters: nobody is
around it who could have given names to its components. Put rules without parameters
first, which make the names behind `_let_` and pass them on to the others.
",
    wrong: "«Pair»(x, y) := [r] (x.send y.recv + y.send x.recv) (x : station, y : holder);\n",
    right: "Pair() := [r] _let_ x, y _in_ (x.send y.recv + y.send x.recv) (x : station, y : holder);\n",
};

impl NoFirstRule {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("the first rules, of `{}`, have parameters", self.name);
        Diagnostic::new(entry, self.span, message)
            .note("put rules without parameters first: they describe the whole system")
    }
}
