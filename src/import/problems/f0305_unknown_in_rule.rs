//! `F0305`: name in a rule that nobody gave a meaning.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A name of a component, or of rules, that there is not.
#[derive(Clone, Debug)]
pub struct UnknownInRule {
    /// Where it is used.
    pub span: Span,
    /// The name.
    pub name: String,
    /// Whether rules are meant, not a component.
    pub is_symbol: bool,
    /// What was probably meant.
    pub near: Option<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0305",
    title: "name in a rule that has no meaning",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
In a rule, the names of components are the parameters of the rule and the names between
`_let_` and `_in_`. A part of a rule, `Name(x, y)`, is described by rules of this name in
the same file.
",
    wrong: "Pair() := [r] _let_ x, y _in_ (x.send y.recv + «z».send x.recv) (x : station, y : holder);\n",
    right: "Pair() := [r] _let_ x, y _in_ (x.send y.recv + y.send x.recv) (x : station, y : holder);\n",
};

impl UnknownInRule {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let name = &self.name;
        let (message, note) = match self.is_symbol {
            true => (
                format!("there are no rules called `{name}`"),
                format!("write rules `{name}(…) := …;`, or correct the name"),
            ),
            false => (
                format!("`{name}` is no name of this rule"),
                format!("add `{name}` to the parameters, or behind `_let_`"),
            ),
        };
        Diagnostic::new(entry, self.span, message)
            .note(note)
            .did_you_mean(self.span, self.near.as_deref())
    }
}
