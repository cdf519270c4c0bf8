//! `F0403`: clause of BIP in the wrong place.

use thiserror::Error;

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// What is not where it should be.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum Misplaced {
    /// A clause of something else.
    #[error("this clause has no place here")]
    Clause,
    /// A block that has no end.
    #[error("this block has no `end`")]
    NoEnd,
    /// An `end` of nothing.
    #[error("there is nothing to end here")]
    StrayEnd,
    /// Something before the package begins.
    #[error("a file of BIP2 begins with `package`")]
    NoPackage,
    /// A thing that must be there once.
    #[error("this is missing: {0}")]
    Missing(&'static str),
    /// A thing that must be there once, and is there again.
    #[error("this stands here for the second time")]
    Again,
}

/// A clause in the wrong place.
#[derive(Clone, Debug)]
pub struct MisplacedBip {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub what: Misplaced,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0403",
    title: "clause of BIP in the wrong place",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A file of BIP2 is one package, `package P … end`, with constants, extern types and
functions, port types, and the types of atoms, connectors and compounds, each with its own
`end`. Each clause has its place: `place`, `initial` and `on … from` stand in atoms,
`define` in connectors, `component` and the uses of connectors in compounds.
",
    wrong: "package P\n  port type Sig()\n  atom type A()\n    «component A b()»\n    place S\n    initial to S\n  end\nend\n",
    right: "package P\n  port type Sig()\n  atom type A()\n    place S\n    initial to S\n  end\nend\n",
};

impl MisplacedBip {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, self.what.to_string())
    }
}
