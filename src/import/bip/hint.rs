//! What to say of a text that does not fit the grammar: how others write it, and how BIP2 does.

use super::token::Token;
use crate::diagnostics::{Span, Symbol};

/// The tokens of a clause, the place of the one that does not fit, and what would have fitted.
pub(super) struct Misfit<'t> {
    pub tokens: &'t [(Token, Span)],
    /// Its number; that of the end where the clause is not complete.
    pub at: usize,
    pub expected: &'t [String],
}

impl Misfit<'_> {
    fn token(&self, at: usize) -> Option<Token> {
        self.tokens.get(at).map(|(token, _)| *token)
    }

    fn before(&self) -> Option<Token> {
        self.at.checked_sub(1).and_then(|at| self.token(at))
    }

    fn wants(&self, what: &str) -> bool {
        self.expected.iter().any(|one| one.trim_matches('"') == what)
    }

    /// What to write, if it can be guessed.
    pub fn hint(&self) -> Option<&'static str> {
        let first = self.token(0)?;
        let Some(found) = self.token(self.at) else { return self.unfinished() };
        if let (0, Token::Name(name)) = (self.at, found) {
            return clause(name);
        }
        if let Token::Name(name) = found {
            return self.word(name);
        }
        match (first, found) {
            (Token::Data, Token::Equal) => Some(
                "variables get their first values where the atom begins: `initial to L do { x = 1; }`",
            ),
            (Token::Priority, Token::Provided) => {
                Some("the guard stands at the end: `priority p a:* < b:* provided (e)`")
            }
            (Token::Priority, Token::Greater) => {
                Some("a priority is written from low to high: `priority p low:* < high:*`")
            }
            (
                Token::Place | Token::Data | Token::Port | Token::On | Token::Component,
                Token::Semicolon,
            ) => Some("clauses have no `;` behind them"),
            (_, Token::Equal) if self.wants("==") => Some("values are compared with `==`"),
            (_, Token::OpenBrace) if self.wants("then") => {
                Some("a condition is written `if (e) then … else … fi`")
            }
            (_, Token::Minus) if self.wants("to") => {
                Some("a transition is written `on p from L to M`")
            }
            (_, Token::Plus | Token::Minus | Token::Star | Token::Slash) if self.wants("=") => {
                Some("a variable is changed by `x = x + 1;`")
            }
            (_, Token::Less | Token::Greater) if self.before() == Some(found) => {
                Some("shifts are operators on bits, which are not translated")
            }
            (_, word) if self.wants("name") && is_reserved(word) => {
                Some("words of BIP2 cannot be names: take another one")
            }
            _ => self.unfinished().or_else(|| self.loops()),
        }
    }

    fn unfinished(&self) -> Option<&'static str> {
        let [only] = self.expected else { return self.closing() };
        let is_head = self.tokens.iter().take(3).any(|(token, _)| {
            matches!(
                token,
                Token::Port | Token::Atom | Token::Connector | Token::Compound | Token::Component
            )
        });
        match only.trim_matches('"') {
            "(" if is_head => Some(
                "types and components have parentheses, also with nothing in them: `port type Sig()`, `component A a()`",
            ),
            "{" => Some("statements stand in braces: `do { x = 1; }`"),
            _ => self.closing(),
        }
    }

    fn closing(&self) -> Option<&'static str> {
        (self.wants("fi") && self.token(self.at) == Some(Token::CloseBrace))
            .then_some("a condition ends with `fi`")
    }

    /// Statements of other languages that look like calls.
    fn loops(&self) -> Option<&'static str> {
        self.has_loop().then_some("statements have no loops")
    }

    fn has_loop(&self) -> bool {
        let words = self.tokens.iter().take(self.at);
        words.into_iter().any(|(token, _)| match token {
            Token::Name(name) => matches!(name.as_str(), "while" | "for"),
            _ => false,
        })
    }

    fn word(&self, name: Symbol) -> Option<&'static str> {
        match name.as_str() {
            "and" | "or" | "not" => {
                Some("conditions are joined with `&&` and `||`, and denied with `!`")
            }
            "when" => Some(
                "a guard is written `provided (e)`; `when` is for clocks, which are not translated",
            ),
            "eager" | "lazy" | "delayable" => {
                Some("urgencies are for clocks, which are not translated")
            }
            "reset" | "resume" | "suspend" => Some("clocks are not translated"),
            _ => self.unfinished().or_else(|| self.loops()),
        }
    }
}

/// Whether a word is one that people would like to use as a name.
fn is_reserved(token: Token) -> bool {
    matches!(
        token,
        Token::Up
            | Token::Down
            | Token::At
            | Token::On
            | Token::From
            | Token::To
            | Token::Do
            | Token::As
            | Token::Use
            | Token::End
            | Token::If
            | Token::Then
            | Token::Else
            | Token::Fi
            | Token::Type
            | Token::Data
            | Token::Port
            | Token::Place
            | Token::Clock
            | Token::Initial
            | Token::Internal
            | Token::Priority
            | Token::Invariant
            | Token::Function
            | Token::Operator
            | Token::Provided
    )
}

/// A word that begins no clause.
fn clause(name: Symbol) -> Option<&'static str> {
    match name.as_str() {
        "model" => Some("this is BIP1; a file of BIP2 begins with `package`"),
        "atomic" => Some("this is BIP1; in BIP2, `atom type A()` begins an atom"),
        "lazy" | "eager" | "delayable" => {
            Some("urgencies are for clocks, which are not translated")
        }
        _ => None,
    }
}
