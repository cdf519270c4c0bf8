//! Sorts as other languages write them.

use std::ops::Range;

use super::{Case, Cure};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::problems::{Habit, OtherNotation};
use crate::syntax::token::Token;

pub(super) fn recognise(case: Case<'_>) -> Option<Cure> {
    match case.found()? {
        Token::OpenBracket if case.expects(":") && case.before(2) == Some(Token::Var) => {
            sized(case)
        }
        Token::CloseBracket if numbered(case) => {
            let key = Part::indices(case, case.at - 1..case.at);
            let value = Part::of(case, case.at + 1..case.at + 2);
            Some(array(case, case.at - 2..case.at + 2, key, value))
        }
        Token::DotDot => array_of(case),
        Token::In if case.first() == Some(Token::Var) && case.expects("..") => in_range(case),
        Token::Semicolon if inside_bracket(case) => rust_array(case),
        _ if case.expects("..") && case.before(1) == Some(Token::CloseBracket) => indexed(case),
        _ => None,
    }
}

/// `[4]Int`
fn numbered(case: Case<'_>) -> bool {
    case.expects("..")
        && matches!(case.before(1), Some(Token::Number(_)))
        && case.before(2) == Some(Token::OpenBracket)
        && case.name(case.at + 1).is_some()
}

/// An array sort in the place of some tokens.
fn array(case: Case<'_>, place: Range<usize>, key: Part<'_>, value: Part<'_>) -> Cure {
    let span = case.spans(&place);
    let text = format!("[{}]{}", key.text, value.text);
    let mut with = vec![(Token::OpenBracket, span)];
    with.extend(key.tokens);
    with.push((Token::CloseBracket, span));
    with.extend(value.tokens);
    let problem = case.meant(place.clone(), Habit::ArraySort, place.clone(), text);
    Cure::report(problem).put(place, with)
}

/// Text and tokens of a sort.
struct Part<'t> {
    text: std::borrow::Cow<'t, str>,
    tokens: Vec<(Token, Span)>,
}

impl Part<'_> {
    fn of(case: Case<'_>, range: Range<usize>) -> Part<'static> {
        Part { text: case.text(&range).into(), tokens: case.tokens(range) }
    }

    /// The indices of an array of so many elements; what is a sort already stays.
    fn indices(case: Case<'_>, range: Range<usize>) -> Part<'static> {
        let is_sort = range.len() == 1 && case.name(range.start).is_some_and(is_sort_name);
        if is_sort || case.tokens(range.clone()).iter().any(|(token, _)| *token == Token::DotDot) {
            return Part::of(case, range);
        }
        let span = case.span(range.start);
        let mut tokens = vec![(Token::Number(Symbol::new("0")), span), (Token::DotDot, span)];
        tokens.extend(case.tokens(range.clone()));
        Part { text: format!("0..{}", case.text(&range)).into(), tokens }
    }
}

/// `var x: Int in 0..3`
fn in_range(case: Case<'_>) -> Option<Cure> {
    let (sort, range) = (case.at.checked_sub(1)?, case.at + 1);
    let end = (range..case.context.tokens.len())
        .find(|&at| matches!(case.token(at), Some(Token::Equal | Token::Semicolon)))
        .unwrap_or(case.context.tokens.len());
    if case.name(sort)?.as_str() != "Int"
        || !(range..end).any(|at| case.token(at) == Some(Token::DotDot))
    {
        return None;
    }
    let place = sort..end;
    let text = case.text(&(range..end));
    let with = case.tokens(range..end);
    let problem = case.meant(case.at..case.at + 1, Habit::SortInRange, place.clone(), text);
    Some(Cure::report(problem).put(place, with))
}

/// `var y[3]: Int`
fn sized(case: Case<'_>) -> Option<Cure> {
    let close = case.close(case.at)?;
    if case.token(close + 1) != Some(Token::Colon) {
        return None;
    }
    let key = Part::indices(case, case.at + 1..close);
    let (span, name) = (case.span(case.at), case.text(&(case.at - 1..case.at)));
    let text = format!("{name}: [{}]", key.text);
    let edits = vec![
        (case.spans(&(case.at..close + 2)), format!(": [{}]", key.text)),
        (Span::new(case.span(close + 1).end, case.span(close + 2).start), String::new()),
    ];
    let mut with = vec![(Token::Colon, span), (Token::OpenBracket, span)];
    with.extend(key.tokens);
    with.push((Token::CloseBracket, case.span(close)));
    let problem = case.problem(case.at - 1..close + 1, Habit::ArraySort);
    let meant = Some((text, edits));
    Some(Cure::report(OtherNotation { meant, ..problem }).put(case.at..close + 2, with))
}

/// `Int[3]`
fn indexed(case: Case<'_>) -> Option<Cure> {
    let close = case.at - 1;
    let open = (0..close).rev().find(|&at| case.token(at) == Some(Token::OpenBracket))?;
    let name = open.checked_sub(1)?;
    if case.close(open)? != close
        || case.name(name).is_none()
        || case.token(name.checked_sub(1)?) != Some(Token::Colon)
    {
        return None;
    }
    let key = Part::indices(case, open + 1..close);
    // `List[Int]`: what stands inside is a sort already.
    if close == open + 2
        && case.name(open + 1).is_some_and(is_sort_name)
        && names_no_sort(case, name)
    {
        let edits = vec![(case.span(open), "<".to_owned()), (case.span(close), ">".to_owned())];
        let text = format!("{}<{}>", case.text(&(name..open)), case.text(&(open + 1..close)));
        let meant = Some((text, edits));
        let problem = OtherNotation { meant, ..case.problem(name..close + 1, Habit::SortBrackets) };
        let mut with = vec![(Token::Less, case.span(open))];
        with.extend(case.tokens(open + 1..close));
        with.push((Token::Greater, case.span(close)));
        return Some(Cure::report(problem).put(open..close + 1, with));
    }
    Some(array(case, name..close + 1, key, Part::of(case, name..open)))
}

/// A name as sorts have it.
fn is_sort_name(name: Symbol) -> bool {
    let name = name.as_str();
    name.starts_with(char::is_uppercase) && name.chars().any(char::is_lowercase)
}

/// Whether a name is none of the sorts that are over no others.
fn names_no_sort(case: Case<'_>, at: usize) -> bool {
    case.name(at).is_some_and(|name| is_sort_name(name) && !matches!(name.as_str(), "Int" | "Bool"))
}

/// `array [0..3] of Int`
fn array_of(case: Case<'_>) -> Option<Cure> {
    let open = (0..case.at).rev().find(|&at| case.token(at) == Some(Token::OpenBracket))?;
    let word = open.checked_sub(1)?;
    let close = case.close(open)?;
    let of = |at: usize, wanted: &str| {
        case.name(at).is_some_and(|name| name.as_str().eq_ignore_ascii_case(wanted))
    };
    if !of(word, "array") || !of(close + 1, "of") || case.name(close + 2).is_none() {
        return None;
    }
    let (key, value) = (Part::indices(case, open + 1..close), Part::of(case, close + 2..close + 3));
    Some(array(case, word..close + 3, key, value))
}

fn inside_bracket(case: Case<'_>) -> bool {
    case.after(2) == Some(Token::CloseBracket)
        && case.context.tokens[..case.at].contains(&Token::OpenBracket)
        && case.expects("]")
}

/// `[Int; 3]`
fn rust_array(case: Case<'_>) -> Option<Cure> {
    let open = (0..case.at).rev().find(|&at| case.token(at) == Some(Token::OpenBracket))?;
    let key = Part::indices(case, case.at + 1..case.at + 2);
    Some(array(case, open..case.at + 3, key, Part::of(case, open + 1..case.at)))
}
