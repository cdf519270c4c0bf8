//! `T0165`: name that `assert` needs.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A variable or parameter with the name of the one that a process with `assert` has.
#[derive(Clone, Debug)]
pub struct TakenByAssert {
    /// Where it is declared.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The first `assert`.
    pub assert: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0165",
    title: "name that `assert` needs",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A process with an `assert` has a variable `failed` of sort `Bool`, which becomes true when
a transition is made whose `assert` does not hold. Properties can speak of it, and so
nothing else in the process can have this name.

Take another name.
",
    wrong: "\
action get(Int);

process Reader {
    var «failed»: Int = 0;
    init state s;

    s -> s : get(?x) assert x >= failed do failed := x;
}
",
    right: "\
action get(Int);

process Reader {
    var last: Int = 0;
    init state s;

    s -> s : get(?x) assert x >= last do last := x;
}
",
};

impl TakenByAssert {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let message = format!("a process with `assert` has a variable `{name}` of its own");
        Diagnostic::new(entry, self.span, message)
            .label("another thing of this name")
            .also(self.assert, "the first `assert` stands here")
            .note("take another name")
    }
}
