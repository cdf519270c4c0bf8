//! `P0006`: keyword where a name is wanted.

use crate::diagnostics::{Diagnostic, Edit, Entry, Severity, Span, Suggestion};

/// A reserved word where a name has to stand.
#[derive(Clone, Debug)]
pub struct KeywordAsName {
    /// The word.
    pub span: Span,
    /// The word.
    pub word: String,
}

pub(super) const ENTRY: Entry = Entry {
    code: "P0006",
    title: "keyword where a name is wanted",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
The words of the language itself, such as `mod`, `when` or `match`, are reserved and
cannot be names. Those that start statements, such as `data`, `state` or `init`, and
`in`, are names where the place tells that a name is meant.

Take another name, or write this one between back-quotes, here and wherever it is
used: `` `mod` `` is an ordinary name. So a model can also use a name from an
imported file that happens to be a keyword.
",
    wrong: "\
const «mod»: Int = 16;

fun wrap(x: Int): Int = x mod 16;
",
    right: "\
const `mod`: Int = 16;

fun wrap(x: Int): Int = x mod `mod`;
",
};

impl KeywordAsName {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let word = &self.word;
        let message = format!("`{word}` is a keyword and cannot be a name");
        let mut diagnostic = Diagnostic::new(entry, self.span, message)
            .label("expected a name")
            .note("take another name, or put back-quotes around it wherever it is used");
        let edits = vec![Edit { span: self.span, text: format!("`{word}`") }];
        let message = "put it in back-quotes".to_owned();
        diagnostic.suggestions.push(Suggestion { message, edits });
        diagnostic
    }
}
