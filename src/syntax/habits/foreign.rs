//! Operators of other languages: what each means depends on where it stands.

use crate::syntax::cut;
use crate::syntax::problems::{ForeignOperator, Habit, OtherNotation, SyntaxProblem};
use crate::syntax::token::{Foreign, Lexed, Token};

/// Puts the operators of this language for those of others, and reports them. What only makes sense to somebody who
/// sees the whole statement stays as it is.
pub(in crate::syntax) fn resolve(lexed: &mut Lexed, problems: &mut Vec<SyntaxProblem>) {
    let mut place = Place::default();
    for at in 0..lexed.tokens.len() {
        if let Token::Foreign(foreign) = lexed.tokens[at] {
            one(lexed, at, foreign, &mut place, problems);
        }
        place.step(lexed.tokens[at]);
    }
}

/// Where in the text we are, as far as it matters here.
#[derive(Default)]
struct Place {
    /// The first token of the statement.
    first: Option<Token>,
    /// Whether we are between the braces of a list of values.
    in_list: bool,
    /// Whether nothing but names and such bars stand before in the statement.
    only_names: bool,
    /// The problem that further separators of the same statement belong to.
    reported: Option<usize>,
}

impl Place {
    fn step(&mut self, token: Token) {
        match token {
            Token::OpenBrace if matches!(self.first, Some(Token::Data | Token::Enum)) => {
                self.in_list = true;
            }
            Token::Semicolon | Token::OpenBrace | Token::CloseBrace => *self = Place::default(),
            _ if self.first.is_none() || cut::starts_item(token) => {
                let only_names = token.as_name().is_some();
                *self = Place { first: Some(token), only_names, ..Place::default() };
            }
            _ => {
                let bar = matches!(token, Token::Foreign(Foreign::Bar | Foreign::Or));
                self.only_names = self.only_names && (bar || token.as_name().is_some());
            }
        }
    }

    /// Whether commas separate what stands here.
    fn separates(&self) -> bool {
        self.in_list
            || matches!(self.first, Some(Token::Less | Token::Data | Token::Enum | Token::Sort))
    }
}

fn one(
    lexed: &mut Lexed,
    at: usize,
    foreign: Foreign,
    place: &mut Place,
    problems: &mut Vec<SyntaxProblem>,
) {
    let before = |steps: usize| at.checked_sub(steps).map(|before| lexed.tokens[before]);
    let (after, span) = (lexed.tokens.get(at + 1).copied(), lexed.spans[at]);
    let touches = at > 0 && lexed.spans[at - 1].end == span.start;
    let is_bar = matches!(foreign, Foreign::Bar | Foreign::Or);
    if is_bar && place.separates() {
        return separator(lexed, at, foreign, place, problems);
    }
    if foreign == Foreign::Bar
        && !before(1).is_some_and(ends_operand)
        && let Some(close) = closing(lexed, at)
    {
        let found = "|…|".to_owned();
        lexed.tokens[at] = Token::OpenParen;
        lexed.tokens[close] = Token::CloseParen;
        let span = span.to(lexed.spans[close]);
        problems
            .push(OtherNotation { span, found, habit: Habit::AbsoluteValue, meant: None }.into());
        return;
    }
    // `go / x := 1`: the assignments of a transition.
    if foreign == Foreign::Divide && lexed.tokens.get(at + 2) == Some(&Token::Assign) {
        let (found, meant) =
            ("/".to_owned(), Some(("do".to_owned(), vec![(span, "do".to_owned())])));
        problems.push(OtherNotation { span, found, habit: Habit::Effect, meant }.into());
        lexed.tokens[at] = Token::Do;
        return;
    }
    let left_alone = match foreign {
        Foreign::Not => matches!(before(1), Some(Token::Name(_))) && touches,
        Foreign::SlashEqual => before(2) == Some(Token::Do),
        Foreign::Remainder | Foreign::Divide => after == Some(Token::Equal),
        Foreign::LongArrow => before(2) == Some(Token::Minus) || before(3) == Some(Token::Minus),
        Foreign::Bar | Foreign::Or => place.first == Some(Token::Net) || place.only_names,
        // What it stands in is reported with it.
        Foreign::In => return in_sign(lexed, at, problems),
        _ => false,
    };
    if is_bar && left_alone {
        if place.reported.is_none() {
            place.reported = Some(problems.len());
            let (span, found, habit) = match first_word(lexed, at) {
                Some((span, word)) => (span, word, Habit::NetOperator),
                None => (span, foreign.spellings().0.to_owned(), Habit::Parallel),
            };
            problems.push(OtherNotation { span, found, habit, meant: None }.into());
        }
        return;
    }
    if left_alone && foreign == Foreign::LongArrow {
        // The end of `s --a--> t`, which is reported as a whole.
        lexed.tokens[at] = Token::Arrow;
    } else if !left_alone {
        let (found, meant) = foreign.spellings();
        let (found, meant) = (found.to_owned(), meant.to_owned());
        problems.push(ForeignOperator { span, found, meant }.into());
        lexed.tokens[at] = foreign.meant();
    }
}

/// The word of another language that the statement starts with in which something stands.
fn first_word(lexed: &Lexed, at: usize) -> Option<(crate::diagnostics::Span, String)> {
    let ends =
        |token: &Token| matches!(token, Token::Semicolon | Token::OpenBrace | Token::CloseBrace);
    let start = lexed.tokens[..at].iter().rposition(ends).map_or(0, |end| end + 1);
    let word = lexed.tokens[start].as_name()?.to_string();
    super::nets::is_operator(&word).then(|| (lexed.spans[start], word))
}

/// `\\in`: where it stands in a quantifier or before a range, more is wrong, and said with it.
fn in_sign(lexed: &mut Lexed, at: usize, problems: &mut Vec<SyntaxProblem>) {
    let ends =
        |token: &Token| matches!(token, Token::Semicolon | Token::OpenBrace | Token::CloseBrace);
    let start = lexed.tokens[..at].iter().rposition(ends).map_or(0, |end| end + 1);
    let rest = &lexed.tokens[at..];
    let length = rest.iter().position(ends).unwrap_or(rest.len());
    let quantified = |token: &Token| {
        matches!(
            token,
            Token::Forall | Token::Exists | Token::Foreign(Foreign::Forall | Foreign::Exists)
        )
    };
    let more =
        lexed.tokens[start..at].iter().any(quantified) || rest[..length].contains(&Token::DotDot);
    lexed.tokens[at] = Token::In;
    if !more {
        let (found, meant) = Foreign::In.spellings();
        let (span, found, meant) = (lexed.spans[at], found.to_owned(), meant.to_owned());
        problems.push(ForeignOperator { span, found, meant }.into());
    }
}

/// Whether an operand can end so.
fn ends_operand(token: Token) -> bool {
    matches!(token, Token::Number(_) | Token::CloseParen | Token::CloseBracket)
        || token.as_name().is_some()
}

/// The bar that closes `|x|`, in the same statement.
fn closing(lexed: &Lexed, open: usize) -> Option<usize> {
    let ends =
        |token: &Token| matches!(token, Token::Semicolon | Token::OpenBrace | Token::CloseBrace);
    let rest = lexed.tokens.get(open + 1..)?;
    let length = rest.iter().position(ends).unwrap_or(rest.len());
    let bar = rest[..length].iter().position(|&token| token == Token::Foreign(Foreign::Bar))?;
    (bar > 0 && ends_operand(rest[bar - 1])).then_some(open + 1 + bar)
}

/// A bar between members or values: all those of one list are one mistake.
fn separator(
    lexed: &mut Lexed,
    at: usize,
    foreign: Foreign,
    place: &mut Place,
    problems: &mut Vec<SyntaxProblem>,
) {
    let span = lexed.spans[at];
    lexed.tokens[at] = Token::Comma;
    // `data Color = Red | Green` is reported for what is missing around it.
    if !place.in_list && !matches!(place.first, Some(Token::Less)) {
        return;
    }
    let edit = (span, ",".to_owned());
    if let Some(SyntaxProblem::OtherNotation(first)) =
        place.reported.and_then(|at| problems.get_mut(at))
    {
        if let Some((_, edits)) = &mut first.meant {
            edits.push(edit);
        }
        return;
    }
    place.reported = Some(problems.len());
    let (found, habit) = (foreign.spellings().0.to_owned(), Habit::Separator);
    let meant = Some((",".to_owned(), vec![edit]));
    problems.push(OtherNotation { span, found, habit, meant }.into());
}
