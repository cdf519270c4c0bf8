//! `F0303`: file that cannot be imported.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A file that is not there, or cannot be read.
#[derive(Clone, Debug)]
pub struct UnreadImport {
    /// Where it is named.
    pub span: Span,
    /// Its path.
    pub path: String,
    /// Why it cannot be read.
    pub why: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0303",
    title: "file of an import that cannot be read",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A file that an imported file names is not there, or cannot be read. For a component `c` of
rtab (`x : c`), the states and transitions are in the file `c.aut` beside the rules. In
spite of its ending it is no file of Aldebaran: each line is `state -> state : port`.
",
    wrong: "Pair() := [r] _let_ x, y _in_ (x.send y.recv + y.send x.recv) (x : «statoin», y : holder);\n",
    right: "Pair() := [r] _let_ x, y _in_ (x.send y.recv + y.send x.recv) (x : station, y : holder);\n",
};

impl UnreadImport {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("cannot read `{}`: {}", self.path.replace('`', "'"), self.why);
        Diagnostic::new(entry, self.span, message)
            .note("files that a file names are looked for beside it")
    }
}
