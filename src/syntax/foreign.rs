//! Operators that other languages have, with what is written for them here.

use super::token::Token;

/// An operator that other languages have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Foreign {
    And,
    Or,
    Not,
    Divide,
    Remainder,
    Wedge,
    Vee,
    Tilde,
    EqualLess,
    Same,
    LongArrow,
    LongImplies,
    Bar,
    SlashEqual,
    SlashedEqual,
    TildeEqual,
    LeadsTo,
    Hash,
    In,
    Forall,
    Exists,
    Land,
    Lor,
    Lnot,
    Leq,
    Geq,
}

impl Foreign {
    /// How it is written there, and what to write here.
    pub fn spellings(self) -> (&'static str, &'static str) {
        match self {
            Foreign::And => ("&&", "and"),
            Foreign::Or => ("||", "or"),
            Foreign::Not => ("!", "not"),
            Foreign::Divide => ("/", "div"),
            Foreign::Remainder => ("%", "mod"),
            Foreign::Wedge => ("/\\", "and"),
            Foreign::Vee => ("\\/", "or"),
            Foreign::Tilde => ("~", "not"),
            Foreign::EqualLess => ("=<", "<="),
            Foreign::Same => ("===", "=="),
            Foreign::LongArrow => ("-->", "->"),
            Foreign::LongImplies => ("==>", "=>"),
            Foreign::Bar => ("|", "or"),
            Foreign::SlashEqual => ("/=", "!="),
            Foreign::SlashedEqual => ("=/=", "!="),
            Foreign::TildeEqual => ("~=", "!="),
            Foreign::LeadsTo => ("~>", "=> F"),
            Foreign::Hash => ("#", "!="),
            Foreign::In => ("\\in", "in"),
            Foreign::Forall => ("\\A", "forall"),
            Foreign::Exists => ("\\E", "exists"),
            Foreign::Land => ("\\land", "and"),
            Foreign::Lor => ("\\lor", "or"),
            Foreign::Lnot => ("\\lnot", "not"),
            Foreign::Leq => ("\\leq", "<="),
            Foreign::Geq => ("\\geq", ">="),
        }
    }

    /// The token that was meant.
    pub fn meant(self) -> Token {
        match self {
            Foreign::And | Foreign::Wedge | Foreign::Land => Token::And,
            Foreign::Or | Foreign::Vee | Foreign::Bar | Foreign::Lor => Token::Or,
            Foreign::Not | Foreign::Tilde | Foreign::Lnot => Token::Not,
            Foreign::In => Token::In,
            Foreign::Forall => Token::Forall,
            Foreign::Exists => Token::Exists,
            Foreign::Geq => Token::GreaterEqual,
            Foreign::Divide => Token::Div,
            Foreign::Remainder => Token::Mod,
            Foreign::EqualLess | Foreign::Leq => Token::LessEqual,
            Foreign::Same => Token::EqualEqual,
            Foreign::LongArrow => Token::Arrow,
            Foreign::LongImplies | Foreign::LeadsTo => Token::Implies,
            Foreign::SlashEqual | Foreign::SlashedEqual | Foreign::TildeEqual | Foreign::Hash => {
                Token::NotEqual
            }
        }
    }
}
