//! `F0411`: variable of BIP that may be read before it is set.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A variable that may be read before it is set.
#[derive(Clone, Debug)]
pub struct ReadUnset {
    /// Where it is declared.
    pub span: Span,
    /// Its name.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0411",
    title: "variable of BIP that may be read before it is set",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
The variable has no value at first, and there is a way on which it is read before it gets
one. What BIP does then is not said. In the model it starts with any value, and what is
proved holds for all of them; give it a value in `initial` if that is not meant.
",
    wrong: "package P\n  port type Sig()\n  atom type A()\n    data int «x»\n    port Sig p()\n    place S\n    initial to S\n    on p from S to S provided (x > 0) do { x = x - 1; }\n  end\nend\n",
    right: "package P\n  port type Sig()\n  atom type A()\n    data int x\n    port Sig p()\n    place S\n    initial to S do { x = 3; }\n    on p from S to S provided (x > 0) do { x = x - 1; }\n  end\nend\n",
};

impl ReadUnset {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("`{}` may be read before it has a value", self.name);
        Diagnostic::new(entry, self.span, message)
            .note("in the model it starts with any value; set it in `initial` to make it one")
    }
}
