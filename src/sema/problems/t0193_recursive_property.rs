//! `T0193`: property that uses itself.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A property whose text leads back to itself.
#[derive(Clone, Debug)]
pub struct RecursiveProperty {
    /// Where it is used.
    pub span: Span,
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub declared: Span,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0193",
    title: "property that uses itself",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A `property` is a name for a formula, which is written out wherever it is used. One that uses
itself would never end. What comes back to itself is a fixpoint: `nu X . f` for what may go
on for ever, `mu X . f` for what must come to an end.
",
    wrong: "\
action a;

process P {
    init state s;

    s -> s : a;
}

property ForEver = <a> «ForEver»;

check holds(P, ForEver);
",
    right: "\
action a;

process P {
    init state s;

    s -> s : a;
}

property ForEver = nu X . <a> X;

check holds(P, ForEver);
",
};

impl RecursiveProperty {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, format!("`{}` uses itself", self.name))
            .label("written out, this would never end")
            .also(self.declared, "declared here")
            .note("write a fixpoint: `nu X . f` or `mu X . f`")
    }
}
