//! Assignments as other languages write them.

use std::ops::Range;

use super::{Case, Cure};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::problems::Habit;
use crate::syntax::token::{Foreign, Token};

/// Braces around more tokens than this are not looked at.
const MOST_INSIDE: usize = 400;

pub(super) fn recognise(case: Case<'_>) -> Option<Cure> {
    if case.mark == Token::StartProcess
        && let Some(cure) = alone(case)
    {
        return Some(cure);
    }
    let found = case.found()?;
    if case.expects(":=") {
        return match found {
            // What a transition assigns can be a place of an array; what a connector moves is a whole variable.
            Token::OpenBracket if case.first() == Some(Token::Connect) => element(case),
            Token::Quote => primed(case),
            Token::Comma => together(case),
            Token::Semicolon => skip(case),
            _ => operator(case, found),
        };
    }
    match found {
        Token::OpenBrace if case.before(1) == Some(Token::Do) || case.expects("do") => braced(case),
        Token::Plus | Token::Minus if matches!(case.before(1), Some(Token::Do | Token::Comma)) => {
            stepped_before(case, found)
        }
        _ => None,
    }
}

/// `free[k] := false`, with any number of indices.
fn element(case: Case<'_>) -> Option<Cure> {
    let target = case.at.checked_sub(1)?;
    let name = case.name(target)?;
    let mut indices: Vec<Range<usize>> = Vec::new();
    let mut next = case.at;
    while case.token(next) == Some(Token::OpenBracket) {
        let close = case.close(next)?;
        indices.push(next + 1..close);
        next = close + 1;
    }
    if !matches!(case.token(next)?, Token::Assign | Token::Equal) {
        return None;
    }
    let end = case.value_end(next + 1);
    let value = next + 1..end;
    let whole = case.spans(&(target..end));
    let mut text = case.text(&value);
    let mut with = case.tokens(value);
    for (depth, index) in indices.iter().enumerate().rev() {
        let read: String = indices[..depth].iter().map(|i| format!("[{}]", case.text(i))).collect();
        text = format!("{name}{read}[{} := {text}]", case.text(index));
        let mut one = vec![(Token::Name(name), case.span(target))];
        for outer in &indices[..depth] {
            one.push((Token::OpenBracket, whole));
            one.extend(case.tokens(outer.clone()));
            one.push((Token::CloseBracket, whole));
        }
        one.push((Token::OpenBracket, whole));
        one.extend(case.tokens(index.clone()));
        one.push((Token::Assign, whole));
        one.append(&mut with);
        one.push((Token::CloseBracket, whole));
        with = one;
    }
    Some(assign(case, target..next, Habit::ElementAssigned, (target, end), (name, text, with)))
}

/// An assignment in the place of some tokens.
fn assign(
    case: Case<'_>,
    shown: Range<usize>,
    habit: Habit,
    place: (usize, usize),
    (name, value, tokens): (Symbol, String, Vec<(Token, Span)>),
) -> Cure {
    let place = place.0..place.1;
    let span = case.spans(&place);
    let mut with = vec![(Token::Name(name), span), (Token::Assign, span)];
    with.extend(tokens);
    let text = format!("{} := {value}", Token::Name(name));
    Cure::report(case.meant(shown, habit, place.clone(), text)).put(place, with)
}

/// `x' = x + 1`: the mark and the sign after it.
fn primed(case: Case<'_>) -> Option<Cure> {
    let target = case.at.checked_sub(1)?;
    let name = case.name(target)?;
    if !matches!(case.after(1)?, Token::Assign | Token::Equal | Token::EqualEqual) {
        return None;
    }
    let sign = case.at + 1;
    let span = case.span(sign);
    let text = format!("{} :=", Token::Name(name));
    let problem = case.meant(target..case.at + 1, Habit::Primed, target..sign + 1, text);
    Some(Cure::report(problem).put(case.at..sign + 1, vec![(Token::Assign, span)]))
}

/// `x, y := 1, 2`
fn together(case: Case<'_>) -> Option<Cure> {
    let first = case.at.checked_sub(1)?;
    let mut names = vec![case.name(first)?];
    let mut next = case.at;
    while case.token(next) == Some(Token::Comma) {
        names.push(case.name(next + 1)?);
        next += 2;
    }
    let targets = first..next;
    if case.token(next)? != Token::Assign {
        return None;
    }
    let (mut texts, mut with) = (Vec::new(), Vec::new());
    for (place, name) in names.iter().enumerate() {
        let end = case.value_end(next + 1);
        let (value, span) = (next + 1..end, case.span(next));
        if value.is_empty() || place + 1 < names.len() && case.token(end) != Some(Token::Comma) {
            return None;
        }
        if place > 0 {
            with.push((Token::Comma, span));
        }
        texts.push(format!("{} := {}", Token::Name(*name), case.text(&value)));
        with.extend([(Token::Name(*name), span), (Token::Assign, span)]);
        with.extend(case.tokens(value));
        next = end;
    }
    let place = first..next;
    let problem = case.meant(targets, Habit::AssignedTogether, place.clone(), texts.join(", "));
    Some(Cure::report(problem).put(place, with))
}

/// `do skip;`: without the `do`, it is right.
fn skip(case: Case<'_>) -> Option<Cure> {
    let word = case.at.checked_sub(1)?;
    let says_nothing = matches!(case.name(word)?.as_str(), "skip" | "nothing" | "pass" | "noop");
    if !says_nothing || case.before(2) != Some(Token::Do) {
        return None;
    }
    let problem = case.problem(word..word + 1, Habit::Skip);
    Some(Cure::report(problem).put(word - 1..word + 1, Vec::new()))
}

/// `x *= 2`, `x++`, and `x += 1` where a connector moves data
fn operator(case: Case<'_>, found: Token) -> Option<Cure> {
    let target = case.at.checked_sub(1)?;
    let name = case.name(target)?;
    let (operator, after) = match found {
        Token::Plus | Token::Minus if case.after(1) == Some(found) && case.touches(case.at) => {
            return Some(step(case, name, found, target..case.at + 2));
        }
        Token::PlusAssign => (Token::Plus, case.at + 1),
        Token::MinusAssign => (Token::Minus, case.at + 1),
        Token::Star | Token::Div | Token::Mod
            if case.after(1) == Some(Token::Equal) && case.touches(case.at) =>
        {
            (found, case.at + 2)
        }
        Token::Foreign(Foreign::Remainder) if case.after(1) == Some(Token::Equal) => {
            (Token::Mod, case.at + 2)
        }
        Token::Foreign(Foreign::SlashEqual) => (Token::Div, case.at + 1),
        _ => return None,
    };
    let end = case.value_end(after);
    let value = after..end;
    let span = case.span(case.at);
    let mut text = case.text(&value);
    let mut inside = case.tokens(value.clone());
    if value.len() > 1 && operator != Token::Plus {
        text = format!("({text})");
        inside.insert(0, (Token::OpenParen, span));
        inside.push((Token::CloseParen, span));
    }
    let mut with = vec![(Token::Name(name), span), (operator, span)];
    with.append(&mut inside);
    let text = format!("{} {operator} {text}", Token::Name(name));
    Some(assign(case, case.at..after, Habit::OperatorAssigned, (target, end), (name, text, with)))
}

/// `++x`
fn stepped_before(case: Case<'_>, found: Token) -> Option<Cure> {
    if case.after(1) != Some(found) || !case.touches(case.at) {
        return None;
    }
    let name = case.name(case.at + 2)?;
    Some(step(case, name, found, case.at..case.at + 3))
}

/// One more, or one less.
fn step(case: Case<'_>, name: Symbol, sign: Token, place: Range<usize>) -> Cure {
    let span = case.spans(&place);
    let one = Token::Number(Symbol::new("1"));
    let with = vec![(Token::Name(name), span), (sign, span), (one, span)];
    let text = format!("{} {sign} 1", Token::Name(name));
    let ends = (place.start, place.end);
    assign(case, place, Habit::OperatorAssigned, ends, (name, text, with))
}

/// `{ x := 1; y := 2 }` without `do`, and braces around assignments that happen at once
fn braced(case: Case<'_>) -> Option<Cure> {
    let (open, close) = (case.at, case.close(case.at)?);
    let mut inside = case.tokens(open + 1..close);
    while inside.last().is_some_and(|(token, _)| matches!(token, Token::Semicolon | Token::Comma)) {
        inside.pop();
    }
    let in_sequence = inside.iter().any(|(token, _)| *token == Token::Semicolon);
    if in_sequence && case.first() != Some(Token::Connect) {
        let text = format!("do {}", case.text(&(open..close + 1)));
        let problem = case.meant(open..open + 1, Habit::BracedAssignments, open..close + 1, text);
        let mut cure = Cure::report(problem).put(open..open, vec![(Token::Do, case.span(open))]);
        cure.ends = true;
        return Some(cure);
    }
    for (token, _) in &mut inside {
        if *token == Token::Semicolon {
            *token = Token::Comma;
        }
    }
    let mut text = case.text(&(open + 1..open + 1 + inside.len())).replace(';', ",");
    if case.before(1) != Some(Token::Do) {
        inside.insert(0, (Token::Do, case.span(open)));
        text = format!("do {text}");
    }
    let problem = case.meant(open..open + 1, Habit::BracedAssignments, open..close + 1, text);
    let mut cure = Cure::report(problem).put(open..close + 1, inside);
    cure.ends = true;
    Some(cure)
}

/// Where a statement ends whose assignments stand in braces.
pub(super) fn braced_end(tokens: &[Token], open: usize) -> Option<usize> {
    let inside = tokens.iter().enumerate().skip(open + 1).take(MOST_INSIDE);
    for (at, token) in inside {
        match token {
            Token::CloseBrace => {
                return Some(at + 1 + usize::from(tokens.get(at + 1) == Some(&Token::Semicolon)));
            }
            Token::Arrow | Token::OpenBrace | Token::State => return None,
            _ => {}
        }
    }
    None
}

/// `y := 2;` after the `;` of a transition.
fn alone(case: Case<'_>) -> Option<Cure> {
    let is_assignment = case.at == 1
        && case.name(0).is_some()
        && matches!(case.found()?, Token::Assign | Token::Equal | Token::OpenBracket);
    if !is_assignment {
        return None;
    }
    let mut problem = case.problem(0..1, Habit::AssignmentAlone);
    if let Some((span, sign)) = case.context.joint {
        problem.meant = Some((sign.trim().to_owned(), vec![(span, sign.to_owned())]));
    }
    Some(Cure::report(problem))
}
