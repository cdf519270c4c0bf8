//! Habits of people who know other languages: what they write, recognised in the tokens of a statement that does not
//! fit, with what they mean by it.
//!
//! Nothing here looks at statements that fit. A statement that is recognised goes on as if it had been written as
//! this language wants it, so that one mistake makes one message.

mod clauses;
mod declarations;
mod foreign;
mod glue;
mod invariants;
mod members;
mod nets;
mod rules;
mod scenarios;
mod sorts;
mod steps;
mod updates;

use std::ops::Range;

use super::cut;
use super::misfit::{Context, expects};
use super::problems::{Habit, OtherNotation, SyntaxProblem};
use super::statement::Misfit;
use super::token::{Lexed, Token};
use crate::diagnostics::{Span, Symbol};

pub(super) use declarations::{Declaration, declaration, names_sort, variable};
pub(super) use foreign::resolve;
pub(super) use invariants::claims;
pub(super) use rules::word_of_rules;
pub(super) use scenarios::demands;

/// What is said where a process is defined by a term.
pub(super) const PROCESS_TERM: Habit = Habit::ProcessTerm;

/// What is done about a habit.
pub(super) struct Cure {
    /// What to report; nothing where a later stage has the words for it.
    pub problem: Option<SyntaxProblem>,
    /// Which tokens to put others for; nothing where the statement is given up.
    pub splice: Option<Splice>,
    /// Whether the end of the statement is part of the habit, so that no `;` is missed.
    pub ends: bool,
}

/// What to put in the place of some tokens.
pub(super) struct Splice {
    /// Their places in the statement.
    pub range: Range<usize>,
    /// What belongs there.
    pub with: Vec<(Token, Span)>,
}

/// A statement that does not fit, and where.
#[derive(Clone, Copy)]
pub(super) struct Case<'t> {
    context: Context<'t>,
    misfit: &'t Misfit,
    mark: Token,
    /// The place of the token that does not fit; the end of the statement, if it ended too early.
    at: usize,
}

/// What is done about a statement that does not fit, if it shows a habit.
pub(super) fn recognise(mark: Token, misfit: &Misfit, context: Context<'_>) -> Option<Cure> {
    let at = match misfit.at {
        Some(span) => context.index(span)?,
        None => context.tokens.len(),
    };
    // A bracket without a partner is a mistake of its own; the `{` of a head is closed further down.
    let bracketed = context.tokens.strip_suffix(&[Token::OpenBrace]).unwrap_or(context.tokens);
    if cut::unpaired(bracketed).is_some() {
        return None;
    }
    let case = Case { context, misfit, mark, at };
    let kinds: [fn(Case<'_>) -> Option<Cure>; 11] = [
        scenarios::recognise,
        invariants::recognise,
        steps::recognise,
        updates::recognise,
        rules::recognise,
        glue::recognise,
        members::recognise,
        nets::recognise,
        declarations::recognise,
        sorts::recognise,
        clauses::recognise,
    ];
    let inside = |splice: &Splice| {
        splice.range.start <= splice.range.end && splice.range.end <= context.tokens.len()
    };
    let cure = kinds.into_iter().find_map(|recognise| recognise(case))?;
    cure.splice.as_ref().is_none_or(inside).then_some(cure)
}

/// Whether what starts with the word of an item is meant for a statement of a net.
pub(super) fn belongs_to_net(tokens: &[Token]) -> bool {
    glue::uses_type(tokens)
}

/// Where a statement really ends that was cut at a `;` which people of other languages write inside of one.
pub(super) fn longer(tokens: &[Token], start: usize, end: usize) -> Option<usize> {
    if let Some(end) = glue::longer(tokens, start, end) {
        return Some(end);
    }
    match tokens.get(start..end)? {
        // `transition s -> t : a;` is cut before its source.
        [Token::Name(word)] if clauses::introduces(word.as_str()) => {
            return Some(cut::inner_end(tokens, end, false).0);
        }
        // `enum C = { A, B };`
        [Token::Data | Token::Enum, _, Token::Equal, ..]
            if tokens.get(end) == Some(&Token::Semicolon) =>
        {
            return Some(end + 1);
        }
        // `interface I { action a; }` is cut before the declaration.
        [Token::Interface, _, Token::OpenBrace, rest @ ..]
            if rest.last() != Some(&Token::CloseBrace) =>
        {
            return declarations::listed_end(tokens, start + 2);
        }
        // `[x < 3] s -> t : a;` too.
        [Token::OpenBracket, .., Token::CloseBracket]
            if tokens.get(end + 1) == Some(&Token::Arrow) =>
        {
            return Some(cut::inner_end(tokens, end, false).0);
        }
        [.., Token::Semicolon] => {}
        _ => return None,
    }
    let statement = &tokens[start..end - 1];
    let braced = |open: usize| {
        matches!(statement[open], Token::OpenBrace)
            && open > 0
            && (statement[open - 1] == Token::Do || statement.contains(&Token::Arrow))
    };
    if statement.first() == Some(&Token::For) && statement.contains(&Token::OpenBrace) {
        return block_end(tokens, start);
    }
    match cut::unpaired(statement) {
        Some(cut::Unpaired::Open(open)) if braced(open) => {
            updates::braced_end(tokens, start + open)
        }
        Some(cut::Unpaired::Open(open)) if statement[open] == Token::OpenBracket => {
            let size = matches!(tokens.get(end), Some(Token::Number(_) | Token::Name(_)));
            let closed = size && tokens.get(end + 1) == Some(&Token::CloseBracket);
            closed.then(|| cut::inner_end(tokens, end + 1, false).0)
        }
        None if statement.first() == Some(&Token::Less) && !statement.contains(&Token::Greater) => {
            let goes_on = cut::names_member(&tokens[end..]);
            goes_on.then(|| cut::inner_end(tokens, end, false).0)
        }
        _ => None,
    }
}

/// Where the statement before this one ended, if it was a transition, and what would let it go on.
pub(super) fn joint(lexed: &Lexed, start: usize) -> Option<(Span, &'static str)> {
    let end = start.checked_sub(1).filter(|&end| lexed.tokens[end] == Token::Semicolon)?;
    let starts = |token: &Token| matches!(token, Token::Semicolon | Token::OpenBrace);
    let from = lexed.tokens[..end].iter().rposition(starts).map_or(0, |at| at + 1);
    let before = &lexed.tokens[from..end];
    let sign = if before.contains(&Token::Do) { "," } else { " do" };
    before.contains(&Token::Arrow).then(|| (lexed.spans[end], sign))
}

/// The end of a block in braces that starts somewhere after this place.
fn block_end(tokens: &[Token], start: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token {
            Token::OpenBrace => depth += 1,
            Token::CloseBrace if depth <= 1 => return Some(at + 1),
            Token::CloseBrace => depth -= 1,
            _ => {}
        }
    }
    None
}

impl Cure {
    fn report(problem: OtherNotation) -> Cure {
        Cure { problem: Some(problem.into()), splice: None, ends: false }
    }

    fn put(mut self, range: Range<usize>, with: Vec<(Token, Span)>) -> Cure {
        self.splice = Some(Splice { range, with });
        self
    }
}

impl<'t> Case<'t> {
    fn token(&self, at: usize) -> Option<Token> {
        self.context.tokens.get(at).copied()
    }

    fn found(&self) -> Option<Token> {
        self.token(self.at)
    }

    fn before(&self, steps: usize) -> Option<Token> {
        self.token(self.at.checked_sub(steps)?)
    }

    fn after(&self, steps: usize) -> Option<Token> {
        self.token(self.at + steps)
    }

    fn first(&self) -> Option<Token> {
        self.token(0)
    }

    fn name(&self, at: usize) -> Option<Symbol> {
        self.token(at)?.as_name()
    }

    fn expects(&self, terminal: &str) -> bool {
        expects(self.misfit, terminal)
    }

    /// Whether an operator could stand here, because an expression has just ended.
    fn after_operand(&self) -> bool {
        self.expects("+") && self.expects("*")
    }

    fn span(&self, at: usize) -> Span {
        let end = || self.context.spans.last().map_or(self.context.next.0, |span| span.after());
        self.context.spans.get(at).copied().unwrap_or_else(end)
    }

    /// The place of some tokens.
    fn spans(&self, range: &Range<usize>) -> Span {
        let last = range.end.saturating_sub(1).max(range.start);
        self.span(range.start).to(self.span(last))
    }

    /// What stands between two tokens. Where something was mended, they may stand out of order.
    fn gap(&self, before: usize, after: usize) -> Span {
        let (from, to) = (self.span(before).end, self.span(after).start);
        Span::new(from.min(to), from.max(to))
    }

    /// From a token to another one, without that.
    fn until(&self, from: usize, to: usize) -> Span {
        let (from, to) = (self.span(from).start, self.span(to).start);
        Span::new(from.min(to), from.max(to))
    }

    /// The text of some tokens.
    fn text(&self, range: &Range<usize>) -> String {
        if range.is_empty() { String::new() } else { self.context.text(self.spans(range)) }
    }

    fn tokens(&self, range: Range<usize>) -> Vec<(Token, Span)> {
        range.filter_map(|at| Some((self.token(at)?, self.span(at)))).collect()
    }

    /// Whether nothing stands between two neighbouring tokens.
    fn touches(&self, at: usize) -> bool {
        self.span(at).end == self.span(at + 1).start
    }

    /// The bracket that closes the one at this place; `<` is closed by `>`.
    fn close(&self, open: usize) -> Option<usize> {
        let opening = self.token(open)?;
        let closing =
            cut::partner(opening).or_else(|| (opening == Token::Less).then_some(Token::Greater))?;
        let mut depth = 0usize;
        for (at, &token) in self.context.tokens.iter().enumerate().skip(open) {
            if token == opening {
                depth += 1;
            } else if token == closing {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        None
    }

    /// Where an expression ends that starts at this place.
    fn value_end(&self, from: usize) -> usize {
        let mut depth = 0usize;
        for (at, token) in self.context.tokens.iter().enumerate().skip(from) {
            match token {
                Token::OpenParen | Token::OpenBracket | Token::OpenBrace => depth += 1,
                Token::CloseParen | Token::CloseBracket | Token::CloseBrace if depth == 0 => {
                    return at;
                }
                Token::CloseParen | Token::CloseBracket | Token::CloseBrace => depth -= 1,
                Token::Comma | Token::Semicolon | Token::When | Token::Do | Token::For
                    if depth == 0 =>
                {
                    return at;
                }
                _ => {}
            }
        }
        self.context.tokens.len()
    }

    /// Where the expression starts that ends before this place.
    fn value_start(&self, to: usize) -> usize {
        let mut depth = 0usize;
        for at in (0..to).rev() {
            match self.context.tokens[at] {
                Token::CloseParen | Token::CloseBracket | Token::CloseBrace => depth += 1,
                Token::OpenParen | Token::OpenBracket | Token::OpenBrace if depth == 0 => {
                    return at + 1;
                }
                Token::OpenParen | Token::OpenBracket | Token::OpenBrace => depth -= 1,
                Token::Comma | Token::When | Token::Assign | Token::Equal | Token::Do
                    if depth == 0 =>
                {
                    return at + 1;
                }
                _ => {}
            }
        }
        0
    }

    /// The problem of a habit that some tokens show.
    fn problem(&self, range: Range<usize>, habit: Habit) -> OtherNotation {
        let (span, found) = (self.spans(&range), self.text(&range));
        OtherNotation { span, found, habit, meant: None }
    }

    /// The same, with the text that belongs in the place of other tokens.
    fn meant(
        &self,
        shown: Range<usize>,
        habit: Habit,
        place: Range<usize>,
        text: impl Into<String>,
    ) -> OtherNotation {
        let text = text.into();
        let meant = Some((text.clone(), vec![(self.spans(&place), text)]));
        OtherNotation { meant, ..self.problem(shown, habit) }
    }

    /// One token for another, which is all that is wrong.
    fn instead(&self, habit: Habit, token: Token) -> Cure {
        let at = self.at;
        let problem = self.meant(at..at + 1, habit, at..at + 1, token.to_string());
        Cure::report(problem).put(at..at + 1, vec![(token, self.span(at))])
    }
}
