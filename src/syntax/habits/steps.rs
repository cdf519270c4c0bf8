//! Transitions as other languages write them: where the guard and the action stand.

use std::ops::Range;

use super::{Case, Cure, names_sort};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::problems::{Habit, OtherNotation};
use crate::syntax::token::Token;

pub(super) fn recognise(case: Case<'_>) -> Option<Cure> {
    let found = case.found()?;
    if found == Token::OpenParen && case.before(1) == Some(Token::Tau) {
        return silent_data(case);
    }
    if case.mark != Token::StartProcess {
        return None;
    }
    match found {
        Token::OpenBracket if case.at == 0 => guard_before(case),
        Token::When if case.before(1) == Some(Token::Colon) => guard_in_middle(case),
        Token::Arrow | Token::OpenParen if case.at == 3 && case.expects(":") => {
            action_between(case)
        }
        Token::Semicolon | Token::When | Token::Do if case.at == 3 && case.expects(":") => {
            Some(no_action(case))
        }
        _ if guards_action(case) => guard_in_brackets(case),
        _ => worded(case),
    }
}

/// Where the statement goes on, as it is, behind an action that starts here.
fn moved(
    case: Case<'_>,
    shown: Range<usize>,
    place: Range<usize>,
    head: Range<usize>,
    guard: Range<usize>,
) -> Cure {
    let text = format!("{} when {}", case.text(&head), case.text(&guard));
    let mut with = case.tokens(head);
    let after = with.last().map_or(case.span(place.start), |(_, span)| span.after());
    with.push((Token::When, after));
    with.extend(case.tokens(guard));
    let problem = case.meant(shown, Habit::GuardFirst, place.clone(), text);
    Cure::report(problem).put(place, with)
}

/// Whether the statement has a guard where guards belong.
fn has_guard(case: Case<'_>, from: usize) -> bool {
    (from..case.context.tokens.len()).any(|at| case.token(at) == Some(Token::When))
}

/// `[x < 3] s -> t : go;`
fn guard_before(case: Case<'_>) -> Option<Cure> {
    let close = case.close(0)?;
    let colon = close + 4;
    let starts =
        case.token(close + 2) == Some(Token::Arrow) && case.token(colon) == Some(Token::Colon);
    if !starts || has_guard(case, close) {
        return Some(Cure::report(case.problem(0..close + 1, Habit::GuardFirst)));
    }
    let end = case.action_end(colon + 1);
    Some(moved(case, 0..close + 1, 0..end, close + 1..end, 1..close))
}

/// Whether what does not fit stands in brackets before the action of a transition.
fn guards_action(case: Case<'_>) -> bool {
    case.before(1) == Some(Token::OpenBracket)
        && case.before(2) == Some(Token::Colon)
        && case.expects("_")
}

/// `s -> t : [x < 3] go;`
fn guard_in_brackets(case: Case<'_>) -> Option<Cure> {
    let open = case.at - 1;
    let close = case.close(open)?;
    if case.name(close + 1).is_none() && case.token(close + 1) != Some(Token::Tau)
        || has_guard(case, close)
    {
        return Some(Cure::report(case.problem(open..close + 1, Habit::GuardFirst)));
    }
    let end = case.action_end(close + 1);
    Some(moved(case, open..close + 1, open..end, close + 1..end, open + 1..close))
}

/// `s -> t : when x < 3 : go;`
fn guard_in_middle(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    let colon = (at..case.context.tokens.len()).find(|&at| case.token(at) == Some(Token::Colon));
    let Some(colon) = colon.filter(|&colon| !has_guard(case, colon)) else {
        return Some(Cure::report(case.problem(at..at + 1, Habit::GuardFirst)));
    };
    let end = case.action_end(colon + 1);
    Some(moved(case, at..at + 1, at..end, colon + 1..end, at + 1..colon))
}

/// `s -> go -> t;`
fn action_between(case: Case<'_>) -> Option<Cure> {
    let end = case.action_end(2);
    let (from, to) = (case.name(0)?, case.name(end + 1)?);
    if case.token(end) != Some(Token::Arrow) {
        return None;
    }
    let text = format!("{from} -> {to} : {}", case.text(&(2..end)));
    let mut with = case.tokens(0..2);
    with.extend([(Token::Name(to), case.span(end + 1)), (Token::Colon, case.span(end))]);
    with.extend(case.tokens(2..end));
    let problem = case.meant(2..end, Habit::Transition, 0..end + 2, text);
    Some(Cure::report(problem).put(0..end + 2, with))
}

/// `s -> t;`
fn no_action(case: Case<'_>) -> Cure {
    let at = case.at;
    let after = case.span(at - 1).after();
    let text = format!("{} : tau", case.text(&(0..at)));
    let problem = case.problem(0..at, Habit::NoAction);
    let meant = Some((text, vec![(after, " : tau".to_owned())]));
    let with = vec![(Token::Colon, after), (Token::Tau, after)];
    Cure::report(OtherNotation { meant, ..problem }).put(at..at, with)
}

/// `tau(3)`
fn silent_data(case: Case<'_>) -> Option<Cure> {
    let place = case.at..case.close(case.at)? + 1;
    let problem = case.problem(place.clone(), Habit::SilentData);
    let meant = Some(("tau".to_owned(), vec![(case.spans(&place), String::new())]));
    Some(Cure::report(OtherNotation { meant, ..problem }).put(place, Vec::new()))
}

/// Statements that start with a word of another language.
fn worded(case: Case<'_>) -> Option<Cure> {
    let after_colon = case.at.checked_sub(2) == Some(3) && case.token(3) == Some(Token::Colon);
    if after_colon && case.name(4).is_some_and(|word| word.as_str() == "sum") {
        return sum(case);
    }
    // `int` before `state` is a keyword that lacks a letter.
    let is_sort = case.name(0).is_some_and(|word| names_sort(word.as_str()).is_some());
    if case.at == 1 && case.found() == Some(Token::Semicolon) && !is_sort {
        return Some(Cure::report(case.problem(0..1, Habit::Transition)));
    }
    None
}

/// `s -> t : sum d: Int . put(d);`
fn sum(case: Case<'_>) -> Option<Cure> {
    let (word, name) = (4, case.name(5)?);
    let problem = case.problem(word..word + 1, Habit::Sum);
    let is_dot = |at: &usize| matches!(case.token(*at), Some(Token::SpacedDot | Token::Dot));
    let Some(dot) = (6..case.context.tokens.len()).find(is_dot) else {
        return Some(Cure::report(problem));
    };
    let (action, end) = (dot + 1, case.action_end(dot + 1));
    let (mut with, mut text) = (Vec::new(), String::new());
    for at in action..end {
        let (token, span) = (case.token(at)?, case.span(at));
        let alone = matches!(case.token(at - 1), Some(Token::OpenParen | Token::Comma))
            && matches!(case.token(at + 1), Some(Token::CloseParen | Token::Comma));
        if token.as_name() == Some(name) && alone {
            with.push((Token::Question, Span::new(span.start, span.start)));
            text.push('?');
        }
        with.push((token, span));
        text.push_str(&token.to_string());
        if token == Token::Comma {
            text.push(' ');
        }
    }
    let meant = Some((text.clone(), vec![(case.spans(&(word..end)), text)]));
    Some(Cure::report(OtherNotation { meant, ..problem }).put(word..end, with))
}

/// `var u, v: Int;`
pub(super) fn several_variables(case: Case<'_>) -> Option<Cure> {
    let colon = (2..case.context.tokens.len()).find(|&at| case.token(at) == Some(Token::Colon))?;
    let names: Option<Vec<Symbol>> = (1..colon).step_by(2).map(|at| case.name(at)).collect();
    let problem = case.problem(case.at..case.at + 1, Habit::SeveralVariables);
    let end = case.context.tokens.len() - 1;
    let sort = case.text(&(colon..end));
    let all = names?.into_iter().map(|name| format!("var {}{sort}", Token::Name(name)));
    let text = all.collect::<Vec<_>>().join("; ");
    let meant = Some((text.clone(), vec![(case.spans(&(0..end)), text)]));
    Some(Cure::report(OtherNotation { meant, ..problem }))
}
