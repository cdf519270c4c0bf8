//! `F0302`: text that does not fit its format.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A word or sign where its format wants something else.
#[derive(Clone, Debug)]
pub struct UnexpectedText {
    /// Where.
    pub span: Span,
    /// What stands there; nothing at the end of the file.
    pub found: String,
    /// What would have fitted, in words.
    pub expected: &'static str,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0302",
    title: "text that does not fit its format",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A word or sign stands where the format of the file wants another one, or the file ends
too early. A file of rtab (`.rec`) has rules:

    Name(x, y) :=
        [id] _let_ z _in_ (x.port z.port + y.port) (x : component, Name(z, y))
      | [other] (x.port y.port) (x : component, y : component) ;

What is `_let_` are new names, `+` stands between interactions, and the last brackets
have components and parts. A node of VerCors (`.spec`) has a line `Structure`, ranges of
parameters, its entries between `<` and `>`, a line `Vectors`, and vectors with `=>`.
",
    wrong: "Pair() := [r] _let_ x, y «(»x.send y.recv + y.send x.recv) (x : station, y : holder);\n",
    right: "Pair() := [r] _let_ x, y _in_ (x.send y.recv + y.send x.recv) (x : station, y : holder);\n",
};

impl UnexpectedText {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = match self.found.as_str() {
            "" => format!("the file ends where {} is expected", self.expected),
            found => format!("`{found}` stands where {} is expected", self.expected),
        };
        Diagnostic::new(entry, self.span, message)
    }
}
