//! `F0333`: expression that the format does not have.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};
use crate::export::expression::Beyond;

/// An expression that the format does not have.
#[derive(Clone, Debug)]
pub struct TermInExport {
    /// The transition, vector or connector that it is in.
    pub span: Span,
    /// The format.
    pub format: &'static str,
    /// What it has no form for.
    pub what: Beyond,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0333",
    title: "expression that the format does not have",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A guard, an assignment or a value of this transition, vector or connector has no form in the
format: BIP has no functions and no quantifiers, neither format divides by what may be 0,
and symbolic constants have to be given values (`--set N=3`).
",
    wrong: "\
action go(Int);

process Half {
    var x: Int = 8;
    var y: Int = 2;
    init state s;

    «s -> s : go(x) when y != 0 do x := x div y»;
}
",
    right: "\
action go(Int);

process Half {
    var x: Int = 8;
    init state s;

    s -> s : go(x) do x := x div 2;
}
",
};

impl TermInExport {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("this cannot be said in {}", self.format);
        Diagnostic::new(entry, self.span, message).note(self.what.words(self.format))
    }
}
