//! Scenarios as other languages write tests and traces.

use super::{Case, Cure};
use crate::syntax::problems::Habit;
use crate::syntax::token::Token;

pub(super) fn recognise(case: Case<'_>) -> Option<Cure> {
    match (case.mark, case.first()?) {
        (Token::StartHead, Token::Scenario) if case.expects("of") => joint(case),
        (Token::StartScenario, first) => gap(case)
            .or_else(|| {
                first.as_name().filter(|word| demands(word.as_str())).and_then(|_| demand(case))
            })
            .or_else(|| end(case)),
        _ => None,
    }
}

/// Whether somebody demands something with this word.
pub(in crate::syntax) fn demands(word: &str) -> bool {
    matches!(word, "assert" | "assume" | "expect" | "require")
}

/// `scenario s for Ring5`, `scenario s: Ring5`
fn joint(case: Case<'_>) -> Option<Cure> {
    let found = case.found()?;
    let word = |name: &str| matches!(name, "on" | "with" | "against" | "from" | "about");
    let joins = matches!(found, Token::For | Token::In | Token::Colon | Token::Equal | Token::As)
        || found.as_name().is_some_and(|name| word(name.as_str()));
    joins.then(|| case.instead(Habit::ScenarioOf, Token::Of))
}

/// `*;`, `...;`
fn gap(case: Case<'_>) -> Option<Cure> {
    match (case.at, case.found()?) {
        (0, Token::Star) => Some(case.instead(Habit::Gap, Token::DotDot)),
        (1, Token::Dot | Token::SpacedDot | Token::DotDot)
            if case.first() == Some(Token::DotDot) =>
        {
            let problem = case.meant(0..2, Habit::Gap, 0..2, "..");
            Some(Cure::report(problem).put(1..2, Vec::new()))
        }
        _ => None,
    }
}

/// `assert n > 0;`
fn demand(case: Case<'_>) -> Option<Cure> {
    let end = case.context.tokens.len().checked_sub(1).filter(|&end| end > 1)?;
    let text = format!("[{}]", case.text(&(1..end)));
    let problem = case.meant(0..1, Habit::Demand, 0..end, text);
    let mut with = vec![(Token::OpenBracket, case.span(0))];
    with.extend(case.tokens(1..end));
    with.push((Token::CloseBracket, case.span(end)));
    Some(Cure::report(problem).put(0..end, with))
}

/// `pass(0), pass(1);`, `pass(0) -> pass(1);`
fn end(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    let joins = matches!(case.found()?, Token::Comma | Token::Arrow | Token::Implies);
    (at > 0 && joins).then(|| Cure::report(case.meant(at..at + 1, Habit::StepEnd, at..at + 1, ";")))
}
