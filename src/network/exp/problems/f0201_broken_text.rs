//! `F0201`: text that cannot be read.

use thiserror::Error;

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// What is wrong with a text.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum TextFlaw {
    /// It is no text.
    #[error("this is no UTF-8")]
    NotText,
    /// Quotes are opened and not closed.
    #[error("these quotes are not closed on the same line")]
    OpenQuotes,
    /// A comment is opened and not closed.
    #[error("this comment is not closed")]
    OpenComment,
    /// A character that means nothing.
    #[error("this character has no meaning here")]
    Strange,
}

/// Characters, quotes or comments of a network that cannot be read.
#[derive(Clone, Debug)]
pub struct BrokenText {
    /// Where.
    pub span: Span,
    /// What is wrong with it.
    pub flaw: TextFlaw,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0201",
    title: "text that cannot be read",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A network in the EXP format is made of words, signs, and texts in quotes, which end on
the line on which they begin. Comments go from `--` to the end of the line, or from
`(*` to `*)`. Everything else has to stand in quotes.

In quotes, `\\\"` and `\\\\` stand for `\"` and `\\`.
",
    wrong: "hide PUT, ACK in \"sender.aut\" end hide «%»\n",
    right: "hide PUT, ACK in \"sender.aut\" end hide -- 100 %\n",
};

impl BrokenText {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, self.flaw.to_string()).note(match self.flaw {
            TextFlaw::NotText => "write the file in UTF-8, or in plain ASCII",
            TextFlaw::OpenQuotes => "put `\"` at the end of the name",
            TextFlaw::OpenComment => "put `*)` behind the comment",
            TextFlaw::Strange => "put names with other characters in quotes, and comments behind `--`",
        })
    }
}
