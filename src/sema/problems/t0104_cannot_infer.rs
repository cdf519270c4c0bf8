//! `T0104`: sort that cannot be inferred.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A variable whose sort nothing determines.
#[derive(Clone, Debug)]
pub struct CannotInfer {
    /// The variable.
    pub span: Span,
    /// The variable, or `this expression`.
    pub name: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0104",
    title: "sort that cannot be inferred",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A variable without a declared sort gets it from its uses: from the place in an
action's arguments where it stands, or from what it is compared with. Here no use
says anything about its sort.

Write the sort after the variable: `forall x: Int . …`.
",
    wrong: "\
axiom exists «x» . x == x;
",
    right: "\
axiom exists x: Int . x == x;
",
};

impl CannotInfer {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        if name.contains(' ') {
            return Diagnostic::new(
                entry,
                self.span,
                format!("the sort of {name} cannot be inferred"),
            )
            .label("nothing says which sort this has")
            .note("write the sorts of the variables in it where they are introduced");
        }
        Diagnostic::new(entry, self.span, format!("the sort of `{name}` cannot be inferred"))
            .label("nothing says which sort this has")
            .note(format!("where `{name}` is introduced, write its sort after it: `{name}: Int`"))
    }
}
