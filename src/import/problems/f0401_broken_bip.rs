//! `F0401`: text of BIP that cannot be read.

use thiserror::Error;

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// What is wrong with a text.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum BipFlaw {
    /// A text without its end.
    #[error("this text is not closed on the same line")]
    OpenText,
    /// A comment without its end.
    #[error("this comment is not closed")]
    OpenComment,
    /// A character that means nothing.
    #[error("this character has no meaning here")]
    Strange,
    /// Brackets in brackets.
    #[error("this is nested too deep")]
    TooDeep,
}

/// Text of BIP that cannot be read.
#[derive(Clone, Debug)]
pub struct BrokenBip {
    /// Where.
    pub span: Span,
    /// What is wrong with it.
    pub flaw: BipFlaw,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0401",
    title: "text of BIP that cannot be read",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A package of BIP2 is made of words, numbers, texts in double quotes and signs; comments go
from `//` to the end of the line, or from `/*` to `*/`. Expressions and conditions may be
nested 200 deep, which is more than a person can read.
",
    wrong: "package P\n  port type Sig()\n  const data int Max = «#»3\nend\n",
    right: "package P\n  port type Sig()\n  const data int Max = 3\nend\n",
};

impl BrokenBip {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, self.flaw.to_string()).note(match self.flaw {
            BipFlaw::OpenText => "put `\"` at its end",
            BipFlaw::OpenComment => "put `*/` behind the comment",
            BipFlaw::Strange => "leave it out",
            BipFlaw::TooDeep => "compute parts of it in variables first",
        })
    }
}
