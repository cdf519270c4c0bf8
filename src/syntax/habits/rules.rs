//! Architectures and their rules as other languages write them.

use super::{Case, Cure};
use crate::syntax::problems::{Habit, OtherNotation};
use crate::syntax::token::Token;

/// The word of a statement of a rule that starts with this word of another language.
pub(in crate::syntax) fn word_of_rules(word: &str) -> Option<&'static str> {
    match word {
        "component" | "instance" | "let" | "node" => Some("sub"),
        "fresh" | "local" | "names" | "var" => Some("new"),
        "forbid" | "forbidden" | "bad" => Some("never"),
        _ => None,
    }
}

pub(super) fn recognise(case: Case<'_>) -> Option<Cure> {
    match (case.mark, case.first()?) {
        (Token::StartHead, Token::Architecture) => head_of_architecture(case),
        (Token::StartHead, Token::Rule) => head(case),
        (Token::StartRule, Token::New) => new(case),
        (Token::StartRule, Token::Sub)
            if case.at == 2 && case.found() == Some(Token::OpenBracket) =>
        {
            family(case)
        }
        (Token::StartRule, first) if first.as_name().is_some() => use_of_rule(case),
        _ => None,
    }
}

/// `architecture Ring() {`, `architecture Ring<n: Int> {`
fn head_of_architecture(case: Case<'_>) -> Option<Cure> {
    let open = 2;
    if !matches!(case.found()?, Token::OpenParen | Token::Less) || case.at != open {
        return None;
    }
    let end = case.close(open)? + 1;
    let problem = case.meant(open..end, Habit::ArchitectureParameters, open..end, "");
    Some(Cure::report(problem).put(open..end, Vec::new()))
}

/// `rule Chain {`, `rule Chain(x: Station) {`, `rule Chain<x> {`
fn head(case: Case<'_>) -> Option<Cure> {
    match case.found()? {
        Token::OpenBrace if case.at == 2 => {
            let place = case.span(1).after();
            let meant = Some(("()".to_owned(), vec![(place, "()".to_owned())]));
            let problem = OtherNotation { meant, ..case.problem(1..2, Habit::RuleParameters) };
            let with = vec![(Token::OpenParen, place), (Token::CloseParen, place)];
            Some(Cure::report(problem).put(2..2, with))
        }
        Token::Less if case.at == 2 => {
            let (open, close) = (2, case.close(2)?);
            let edits = [(open, "("), (close, ")")];
            let edits = edits.map(|(at, text)| (case.span(at), text.to_owned())).to_vec();
            let text = format!("({})", case.text(&(open + 1..close)));
            let meant = Some((text, edits));
            let problem = OtherNotation { meant, ..case.problem(2..3, Habit::RuleParameters) };
            let mut with = vec![(Token::OpenParen, case.span(open))];
            with.extend(case.tokens(open + 1..close));
            with.push((Token::CloseParen, case.span(close)));
            Some(Cure::report(problem).put(open..close + 1, with))
        }
        Token::Colon => {
            let length = case.context.tokens.len();
            let ends =
                |at: &usize| matches!(case.token(*at), Some(Token::Comma | Token::CloseParen));
            let end = (case.at..length).find(ends)?;
            let problem = case.meant(case.at..end, Habit::SortOfName, case.at..end, "");
            Some(Cure::report(problem).put(case.at..end, Vec::new()))
        }
        _ => None,
    }
}

/// `new x = Station;`, `new x: Station;`
fn new(case: Case<'_>) -> Option<Cure> {
    let sign = case.found().filter(|found| matches!(found, Token::Equal | Token::Colon))?;
    let (at, length) = (case.at, case.context.tokens.len());
    if at != 2 {
        return Some(Cure::report(case.problem(at..at + 1, Habit::NewComponent)));
    }
    let mut edits = vec![(case.span(0), "sub".to_owned())];
    if sign == Token::Colon {
        edits.push((case.span(at), "=".to_owned()));
    }
    let name = case.text(&(1..2));
    let rest = case.text(&(at + 1..length.saturating_sub(1).max(at + 1)));
    let meant = Some((format!("sub {name} = {rest}"), edits));
    let problem = OtherNotation { meant, ..case.problem(0..1, Habit::NewComponent) };
    let mut with = vec![(Token::Sub, case.span(0))];
    with.extend(case.tokens(1..at));
    with.push((Token::Equal, case.span(at)));
    Some(Cure::report(problem).put(0..at + 1, with))
}

/// `sub x[i: 0..n] = Station;`
fn family(case: Case<'_>) -> Option<Cure> {
    let end = case.close(case.at)? + 1;
    Some(Cure::report(case.problem(case.at..end, Habit::FamilyInRule)))
}

/// `use Chain(x, y);`, `x = Station;`, `x : Station;`, `Chain(x, y) or …`
fn use_of_rule(case: Case<'_>) -> Option<Cure> {
    let is_name = |at: usize| case.name(at).is_some();
    if is_name(1) && case.token(2) == Some(Token::OpenParen) {
        let problem = case.meant(0..1, Habit::UseOfRule, 0..1, "");
        return Some(Cure::report(problem).put(0..1, Vec::new()));
    }
    match case.found()? {
        Token::Equal | Token::Colon if case.at == 1 => {
            let place = case.span(0).before();
            let sign = case.found() == Some(Token::Colon);
            let mut edits = vec![(place, "sub ".to_owned())];
            edits.extend(sign.then(|| (case.span(1), "=".to_owned())));
            let length = case.context.tokens.len();
            let rest = case.text(&(2..length.saturating_sub(1).max(2)));
            let meant = Some((format!("sub {} = {rest}", case.text(&(0..1))), edits));
            let problem = OtherNotation { meant, ..case.problem(0..1, Habit::SubInRule) };
            let with = vec![(Token::Sub, place), (case.token(0)?, case.span(0))];
            let mut with = with;
            with.push((Token::Equal, case.span(1)));
            Some(Cure::report(problem).put(0..2, with))
        }
        _ => None,
    }
}
