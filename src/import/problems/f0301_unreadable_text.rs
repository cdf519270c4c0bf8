//! `F0301`: text of another tool that cannot be read.

use thiserror::Error;

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// What is wrong with a text.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum ImportFlaw {
    /// It is no text.
    #[error("this is no UTF-8")]
    NotText,
    /// A character that means nothing.
    #[error("this character has no meaning here")]
    Strange,
}

/// Characters of a file of another tool that cannot be read.
#[derive(Clone, Debug)]
pub struct UnreadableText {
    /// Where.
    pub span: Span,
    /// What is wrong with it.
    pub flaw: ImportFlaw,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0301",
    title: "text of another tool that cannot be read",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A file that is imported is a text in UTF-8, made of the words and signs of its format.
In rules of rtab (`.rec`), names are made of letters, digits and `_`, and begin with a
letter; comments go from `#` to the end of the line. In nodes of VerCors (`.spec`),
comments go from `--` to the end of the line.
",
    wrong: "Pair() := [r] _let_ x, y _in_ (x.send y.recv + y.send x.recv «&») (x : station, y : holder);\n",
    right: "Pair() := [r] _let_ x, y _in_ (x.send y.recv + y.send x.recv) (x : station, y : holder);\n",
};

impl UnreadableText {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, self.flaw.to_string()).note(match self.flaw {
            ImportFlaw::NotText => "write the file in UTF-8, or in plain ASCII",
            ImportFlaw::Strange => "leave it out, or put it in a comment",
        })
    }
}
