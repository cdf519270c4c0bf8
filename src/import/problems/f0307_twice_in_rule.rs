//! `F0307`: name that stands twice in a rule.

use thiserror::Error;

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// What is there twice.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum Twice {
    /// A parameter, or a new name.
    #[error("is declared twice")]
    Declared,
    /// A component takes part in an interaction twice.
    #[error("takes part in this interaction twice")]
    Member,
    /// A name gets two components in one rule.
    #[error("gets two components in this rule")]
    Component,
    /// Rules of one name in two places.
    #[error("has rules already")]
    Rules,
}

/// A name that stands twice where it may stand once.
#[derive(Clone, Debug)]
pub struct TwiceInRule {
    /// The second place.
    pub span: Span,
    /// The first one.
    pub first: Span,
    /// The name.
    pub name: String,
    /// What is there twice.
    pub what: Twice,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0307",
    title: "name that stands twice in a rule",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The parameters of rules and the names behind `_let_` are different from each other. A
component takes part in an interaction once, since it does one transition at a time; it
gets its states and transitions once; and all rules of one name stand together,
separated by `|`.
",
    wrong: "Pair() := [r] _let_ x, y _in_ (x.send «x».recv + y.send x.recv) (x : station, y : holder);\n",
    right: "Pair() := [r] _let_ x, y _in_ (x.send y.recv + y.send x.recv) (x : station, y : holder);\n",
};

impl TwiceInRule {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = format!("`{}` {}", self.name, self.what);
        Diagnostic::new(entry, self.span, message).also(self.first, "for the first time here")
    }
}
