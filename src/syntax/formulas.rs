//! The words and brackets of temporal formulas: `A`, `U`, `mu` and the like mean something only in `property` items and in
//! `check holds(…)`, and `[`, `<` and `:` mean other things there. What stands around them tells which, before anything is
//! parsed; everywhere else they are what they are.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::cut;
use super::token::{Lexed, Token};
use crate::diagnostics::Symbol;

/// The words of temporal formulas, which are names everywhere else.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it; `spelling` has the texts")]
pub enum FormulaWord {
    Property,
    Holds,
    Noninterfering,
    Fair,
    Weakly,
    All,
    Some,
    Globally,
    Finally,
    Next,
    AllGlobally,
    AllFinally,
    AllNext,
    SomeGlobally,
    SomeFinally,
    SomeNext,
    Until,
    WeakUntil,
    Mu,
    Nu,
    After,
}

impl FormulaWord {
    /// How it is written.
    pub fn spelling(self) -> Option<&'static str> {
        WORDS.iter().find(|(_, word)| *word == self).map(|(text, _)| *text)
    }

    /// Whether it stands inside of formulas.
    pub fn is_operator(self) -> bool {
        use FormulaWord::*;
        !matches!(self, Property | Holds | Noninterfering | Fair | Weakly)
    }
}

/// Marks the words and brackets of all formulas.
pub(super) fn settle(lexed: &mut Lexed) {
    let mut at = 0;
    while at < lexed.tokens.len() {
        at = match Region::starting(lexed, at) {
            Some(region) => region.marked(lexed),
            None => at + 1,
        };
    }
}

/// The spelling of each word.
pub(super) const WORDS: &[(&str, FormulaWord)] = &[
    ("property", FormulaWord::Property),
    ("holds", FormulaWord::Holds),
    ("noninterfering", FormulaWord::Noninterfering),
    ("fair", FormulaWord::Fair),
    ("weakly", FormulaWord::Weakly),
    ("A", FormulaWord::All),
    ("E", FormulaWord::Some),
    ("G", FormulaWord::Globally),
    ("F", FormulaWord::Finally),
    ("X", FormulaWord::Next),
    ("AG", FormulaWord::AllGlobally),
    ("AF", FormulaWord::AllFinally),
    ("AX", FormulaWord::AllNext),
    ("EG", FormulaWord::SomeGlobally),
    ("EF", FormulaWord::SomeFinally),
    ("EX", FormulaWord::SomeNext),
    ("U", FormulaWord::Until),
    ("W", FormulaWord::WeakUntil),
    ("mu", FormulaWord::Mu),
    ("nu", FormulaWord::Nu),
    ("after", FormulaWord::After),
];

/// Whether a name has to be written between back-quotes in a formula.
pub fn is_formula_word(name: &str) -> bool {
    let is = |(word, kind): &(&str, FormulaWord)| *word == name && kind.is_operator();
    WORDS.iter().any(is)
}

/// A text in which formulas stand.
struct Region {
    /// The first token of the formula.
    from: usize,
    /// How many commas come before it.
    commas: usize,
    /// Whether it stands in the parentheses of a check.
    in_check: bool,
}

/// What a bracket is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Frame {
    /// Arguments of a name.
    Call,
    /// `[p]`
    Box,
    /// `<p>`
    Diamond,
    /// Any other.
    Plain,
}

fn word_at(lexed: &Lexed, at: usize) -> Option<FormulaWord> {
    let Some(Token::Name(name)) = lexed.tokens.get(at) else { return None };
    // Nearly all names are none of these: they are not looked at letter by letter.
    let (text, word) = symbols().get(name)?;
    let span = lexed.spans[at];
    // Between back-quotes it is a name.
    ((span.end - span.start) as usize == text.len()).then_some(*word)
}

/// The words by their symbols.
fn symbols() -> &'static FxHashMap<Symbol, (&'static str, FormulaWord)> {
    static SYMBOLS: OnceLock<FxHashMap<Symbol, (&'static str, FormulaWord)>> = OnceLock::new();
    SYMBOLS.get_or_init(|| {
        WORDS.iter().map(|&(text, word)| (Symbol::new(text), (text, word))).collect()
    })
}

fn begins(lexed: &Lexed, at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| lexed.tokens[before]);
    matches!(before, None | Some(Token::Semicolon | Token::OpenBrace | Token::CloseBrace))
}

impl Region {
    /// What starts at a token; the words that say so are marked.
    fn starting(lexed: &mut Lexed, at: usize) -> Option<Region> {
        let word = word_at(lexed, at)?;
        let next = lexed.tokens.get(at + 1).copied();
        match word {
            FormulaWord::Property => {
                let named = next.is_some_and(|next| next.as_name().is_some());
                if !named || !begins(lexed, at) {
                    return None;
                }
                lexed.tokens[at] = Token::Formula(word);
                let ends = |token: &Token| matches!(token, Token::Equal | Token::Semicolon);
                let sign = lexed.tokens[at..].iter().position(ends)?;
                let is_equal = lexed.tokens[at + sign] == Token::Equal;
                is_equal.then_some(Region { from: at + sign + 1, commas: 0, in_check: false })
            }
            FormulaWord::Holds | FormulaWord::Noninterfering if next == Some(Token::OpenParen) => {
                let not = at.checked_sub(1).filter(|&not| lexed.tokens[not] == Token::Not);
                let before = not.unwrap_or(at).checked_sub(1).map(|before| lexed.tokens[before]);
                if !matches!(before, None | Some(Token::Check)) {
                    return None;
                }
                lexed.tokens[at] = Token::Formula(word);
                let commas = if word == FormulaWord::Holds { 1 } else { 3 };
                Some(Region { from: at + 2, commas, in_check: true })
            }
            _ => None,
        }
    }

    /// Marks what is in it; where it ends.
    fn marked(self, lexed: &mut Lexed) -> usize {
        let end = lexed.tokens[self.from..].iter().position(|&token| {
            let starts = cut::starts_item(token) && token.as_name().is_none();
            token == Token::Semicolon || starts
        });
        let end = end.map_or(lexed.tokens.len(), |end| self.from + end);
        let mut marking = Marking {
            fixes: Marking::fixes(lexed, self.from, end),
            stack: if self.in_check { vec![Frame::Plain] } else { Vec::new() },
            commas: self.commas,
            binder: None,
            prefix: true,
        };
        for at in self.from..end {
            marking.mark(lexed, at);
        }
        end
    }
}

struct Marking {
    /// The names of fixpoints, which are no words.
    fixes: Vec<Symbol>,
    stack: Vec<Frame>,
    /// How many commas come before the formula.
    commas: usize,
    /// How many brackets are open around a quantifier whose variables are being read.
    binder: Option<usize>,
    /// Whether an operand comes next.
    prefix: bool,
}

impl Marking {
    fn fixes(lexed: &Lexed, from: usize, end: usize) -> Vec<Symbol> {
        let is_fix =
            |at: &usize| matches!(word_at(lexed, *at), Some(FormulaWord::Mu | FormulaWord::Nu));
        let named = |at: usize| match lexed.tokens.get(at + 1) {
            Some(Token::Name(name)) => Some(*name),
            _ => None,
        };
        (from..end).filter(is_fix).filter_map(named).collect()
    }

    fn mark(&mut self, lexed: &mut Lexed, at: usize) {
        use Token::*;
        let token = lexed.tokens[at];
        let before = lexed.tokens[at - 1];
        // Of a check, the nets come first.
        if self.commas > 0 {
            match token {
                OpenParen | OpenBracket | OpenBrace => self.stack.push(Frame::Plain),
                CloseParen | CloseBracket | CloseBrace => _ = self.stack.pop(),
                // `Ring<3, 4>`
                Less => self.stack.push(Frame::Diamond),
                Greater if self.stack.last() == Some(&Frame::Diamond) => _ = self.stack.pop(),
                Comma if self.stack.len() == 1 => self.commas -= 1,
                _ => {}
            }
            return;
        }
        if let Some(word) = self.operator(lexed, at) {
            lexed.tokens[at] = Formula(word);
            if matches!(word, FormulaWord::Mu | FormulaWord::Nu) {
                self.binder = Some(self.stack.len());
            }
            self.prefix = true;
            return;
        }
        match token {
            OpenBracket if matches!(before, Formula(FormulaWord::All | FormulaWord::Some)) => {
                lexed.tokens[at] = OpenRuns;
                self.open(Frame::Plain);
            }
            // `forall f: [Bool]Int . …` has a sort.
            OpenBracket if self.prefix && self.binder.is_none() && !is_array(lexed, at) => {
                lexed.tokens[at] = OpenBox;
                self.open(Frame::Box);
            }
            Less if self.prefix => {
                lexed.tokens[at] = OpenDiamond;
                self.open(Frame::Diamond);
            }
            Greater if self.stack.last() == Some(&Frame::Diamond) => {
                lexed.tokens[at] = CloseDiamond;
                self.stack.pop();
                self.prefix = true;
            }
            OpenParen => self.open(if self.prefix { Frame::Plain } else { Frame::Call }),
            OpenBracket | OpenBrace => self.open(Frame::Plain),
            CloseParen | CloseBracket | CloseBrace => {
                let closed = self.stack.pop();
                self.prefix = closed == Some(Frame::Box);
            }
            Colon if self.binder.is_none() && self.stack.last() != Some(&Frame::Call) => {
                lexed.tokens[at] = StepColon;
                self.prefix = true;
            }
            Forall | Exists => {
                self.binder = Some(self.stack.len());
                self.prefix = true;
            }
            SpacedDot => {
                if self.binder == Some(self.stack.len()) {
                    self.binder = None;
                }
                self.prefix = true;
            }
            Number(_) | Text(_) | True | False | Tau | Any | Underscore => self.prefix = false,
            _ => self.prefix = token.as_name().is_none() || is_infix(token, before),
        }
    }

    fn open(&mut self, frame: Frame) {
        self.stack.push(frame);
        self.prefix = true;
    }

    /// The operator of formulas that a word is here.
    fn operator(&self, lexed: &Lexed, at: usize) -> Option<FormulaWord> {
        let word = word_at(lexed, at)?;
        let Token::Name(name) = lexed.tokens[at] else { return None };
        let (before, next) = (lexed.tokens[at - 1], lexed.tokens.get(at + 1).copied());
        let is_path = before == Token::Dot || next == Some(Token::Dot);
        if is_path || self.fixes.contains(&name) || before == Token::Question {
            return None;
        }
        let operand = next.is_some_and(starts_operand);
        let is = match word {
            FormulaWord::Property | FormulaWord::Holds | FormulaWord::Noninterfering => false,
            FormulaWord::Fair | FormulaWord::Weakly => self.stack.is_empty(),
            FormulaWord::Until | FormulaWord::WeakUntil => !self.prefix && operand,
            FormulaWord::Mu | FormulaWord::Nu => {
                self.prefix && next.is_some_and(|next| next.as_name().is_some())
            }
            _ => self.prefix && operand,
        };
        is.then_some(word)
    }
}

/// Whether something begins here that an operator can stand before.
fn starts_operand(token: Token) -> bool {
    use Token::*;
    token.as_name().is_some()
        || matches!(
            token,
            Number(_)
                | True
                | False
                | Tau
                | Any
                | Underscore
                | OpenParen
                | OpenBracket
                | Less
                | Not
                | Minus
                | Forall
                | Exists
                | If
                | Match
                | Sync
                | Co
                | Question
        )
}

/// Whether a word between two operands is an operator.
fn is_infix(token: Token, before: Token) -> bool {
    matches!(token, Token::Quot | Token::Rem | Token::With) && before.as_name().is_some()
}

/// `[_]Int(0)`, a constant array, where a value is compared or given.
fn is_array(lexed: &Lexed, at: usize) -> bool {
    use Token::*;
    let any = lexed.tokens.get(at + 1) == Some(&Underscore);
    let before = at.checked_sub(1).map(|before| lexed.tokens[before]);
    let compared = matches!(
        before,
        Some(EqualEqual | NotEqual | Less | LessEqual | Greater | GreaterEqual | Assign | Comma)
    );
    any && lexed.tokens.get(at + 2) == Some(&CloseBracket) && compared
}
