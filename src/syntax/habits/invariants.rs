//! Invariants as people write them who think of relations, or of lists.

use super::{Case, Cure};
use crate::syntax::problems::{Habit, OtherNotation};
use crate::syntax::token::Token;

pub(super) fn recognise(case: Case<'_>) -> Option<Cure> {
    match (case.mark, case.first()?) {
        (Token::StartHead, Token::Invariant) if case.expects("of") => {
            form(case).or_else(|| joint(case))
        }
        (Token::StartHead, Token::Invariant) if case.found() == Some(Token::Colon) => {
            let open = (0..case.at).rfind(|&at| case.token(at) == Some(Token::Less))?;
            parameters(case, open)
        }
        (Token::StartInvariant, first) => word(case, first).or_else(|| end(case)),
        _ => None,
    }
}

/// `invariant of S {`, `invariant I {`, `invariant I<n: Int> of S<n> {`: nobody knows what belongs there.
fn form(case: Case<'_>) -> Option<Cure> {
    let unnamed = case.at == 2 && case.name(1).is_some_and(|name| name.as_str() == "of");
    match case.found()? {
        Token::Less => parameters(case, case.at),
        Token::OpenBrace => {
            Some(Cure::report(case.problem(case.at - 1..case.at, Habit::InvariantNet)))
        }
        _ if unnamed => Some(Cure::report(case.problem(1..2, Habit::InvariantName))),
        _ => None,
    }
}

fn parameters(case: Case<'_>, open: usize) -> Option<Cure> {
    let close = case.close(open)?;
    Some(Cure::report(case.problem(open..close + 1, Habit::InvariantParameters)))
}

/// Whether somebody claims something with this word.
pub(in crate::syntax) fn claims(word: &str) -> bool {
    matches!(word, "assert" | "assume" | "require" | "always" | "invariant" | "holds")
}

/// `invariant I for S`, `invariant I: S`, `invariant I(S)`
fn joint(case: Case<'_>) -> Option<Cure> {
    let found = case.found()?;
    if found == Token::OpenParen {
        return like_relation(case);
    }
    let word = |name: &str| matches!(name, "on" | "with" | "from" | "about");
    let joins = matches!(found, Token::For | Token::In | Token::Colon | Token::Equal | Token::As)
        || found.as_name().is_some_and(|name| word(name.as_str()));
    joins.then(|| case.instead(Habit::InvariantOf, Token::Of))
}

/// `invariant I(S)`, as `relation R(A, B)` is written.
fn like_relation(case: Case<'_>) -> Option<Cure> {
    let (open, close) = (case.at, case.close(case.at)?);
    let text = format!("of {}", case.text(&(open + 1..close)));
    let edit = (case.spans(&(open..close + 1)), format!(" {text}"));
    let problem = case.problem(open..open + 1, Habit::InvariantOf);
    let problem = OtherNotation { meant: Some((text, vec![edit])), ..problem };
    let mut with = vec![(Token::Of, case.span(open))];
    with.extend(case.tokens(open + 1..close));
    Some(Cure::report(problem).put(open..close + 1, with))
}

/// `always x < 3;`, `invariant x < 3;`: the word is left out.
fn word(case: Case<'_>, first: Token) -> Option<Cure> {
    let named = first.as_name().is_some_and(|name| claims(name.as_str()));
    (named && case.at == 1).then(|| {
        let problem = case.meant(0..1, Habit::ConditionWord, 0..1, "");
        Cure::report(problem).put(0..1, Vec::new())
    })
}

/// `x < 3, y < 4;`
fn end(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    let joins = at > 0 && case.found()? == Token::Comma;
    joins.then(|| Cure::report(case.meant(at..at + 1, Habit::ConditionEnd, at..at + 1, ";")))
}
