//! `F0407`: form of BIP that cannot be translated.

use thiserror::Error;

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Why something is refused.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum Refusal {
    /// Real time.
    #[error("clocks are not translated: the language has no real time")]
    Clock,
    /// Floating-point numbers.
    #[error("floating-point numbers are not translated: the language has whole numbers")]
    Float,
    /// Texts.
    #[error("texts are not translated: the language has no such values")]
    Text,
    /// Operators on bits.
    #[error("operators on bits are not translated: numbers have no bits in the language")]
    Bits,
    /// Functions without a result.
    #[error("a function without a result is called for a side effect, which cannot be translated")]
    SideEffect,
    /// Own meanings of signs.
    #[error("operators of other types are not translated")]
    Operator,
    /// Internal transitions without a known end.
    #[error("it is not known how often this internal transition is done: at most {0} in a row are translated")]
    InternalLoop(usize),
    /// Which internal transitions come first depends on parameters.
    #[error("whether this internal transition is done at the very beginning depends on parameters or on unset variables")]
    InternalAtFirst,
    /// A value that is read before it is set, where it cannot be left open.
    #[error("`{0}` is read before it has a value")]
    Unset(String),
    /// Too much of something.
    #[error("too large to be translated: {0}")]
    TooLarge(&'static str),
}

/// Something that cannot be translated.
#[derive(Clone, Debug)]
pub struct RefusedBip {
    /// Where.
    pub span: Span,
    /// Why.
    pub refusal: Refusal,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0407",
    title: "form of BIP that cannot be translated",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The language has no form with this meaning, and nothing is translated loosely without a
word. Clocks, floating-point numbers, texts, operators on bits and functions without a
result (which are called for a side effect) are not translated at all. Internal
transitions are done together with the transition before them, so it must be known, for
each way, how many there are; and before the first step, which.
",
    wrong: "package P\n  port type Sig()\n  atom type A()\n    data «float» x\n    place S\n    initial to S\n  end\nend\n",
    right: "package P\n  port type Sig()\n  atom type A()\n    data int x\n    place S\n    initial to S\n  end\nend\n",
};

impl RefusedBip {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let diagnostic = Diagnostic::new(entry, self.span, self.refusal.to_string());
        match self.refusal {
            Refusal::Float | Refusal::Text => {
                diagnostic.note("use `int`, `bool` or an `extern data type`, which stays abstract")
            }
            Refusal::SideEffect => diagnostic.note("leave out the call"),
            Refusal::TooLarge(_) => diagnostic.note("make it of several smaller ones"),
            _ => diagnostic,
        }
    }
}
