//! Families, all of their members at once, and what orders them, as other languages write these.

use super::{Case, Cure};
use crate::syntax::cut;
use crate::syntax::problems::{Habit, OtherNotation};
use crate::syntax::token::Token;

pub(super) fn recognise(case: Case<'_>) -> Option<Cure> {
    let mark = if case.mark == Token::StartRule { Token::StartNet } else { case.mark };
    match (mark, case.first()?) {
        (Token::StartProcess, Token::Priority) => own_priority(case),
        (Token::StartNet, Token::Priority) => side_by_side(case),
        (Token::StartNet, Token::Sub) => two_indices(case),
        (Token::StartNet, Token::Connect) => all_members(case)
            .or_else(|| two_indices(case))
            .or_else(|| range_end(case))
            .or_else(|| gives_way(case))
            .or_else(|| side_by_side(case))
            .or_else(|| connector(case)),
        (Token::StartNet, Token::Less) => all_members(case)
            .or_else(|| two_indices(case))
            .or_else(|| range_end(case))
            .or_else(|| gives_way(case))
            .or_else(|| single_member(case)),
        _ => None,
    }
}

/// The innermost `[` that is open.
fn open_bracket(case: Case<'_>) -> Option<usize> {
    match cut::unpaired(&case.context.tokens[..case.at])? {
        cut::Unpaired::Open(open) if case.token(open) == Some(Token::OpenBracket) => Some(open),
        _ => None,
    }
}

/// `S[*]`
fn all_members(case: Case<'_>) -> Option<Cure> {
    let is_it = case.found()? == Token::Star && case.before(1) == Some(Token::OpenBracket);
    let close = case.close(case.at.checked_sub(1)?)?;
    is_it.then(|| Cure::report(case.problem(case.at - 1..close + 1, Habit::AllMembers)))
}

/// `S[i, j]`, `sub S[i: 0..n, j: 0..m]`
fn two_indices(case: Case<'_>) -> Option<Cure> {
    if case.found()? != Token::Comma || !case.expects("]") || case.expects("for") {
        return None;
    }
    let open = open_bracket(case)?;
    case.name(open.checked_sub(1)?)?;
    let close = case.close(open)?;
    Some(Cure::report(case.problem(case.at..close, Habit::TwoIndices)))
}

/// `for i in n`
fn range_end(case: Case<'_>) -> Option<Cure> {
    let is_it = case.expects("..")
        && case.before(2) == Some(Token::In)
        && case.before(4) == Some(Token::For);
    if !is_it {
        return None;
    }
    let bound = case.at - 1;
    let place = case.span(bound).before();
    let text = format!("0..{}", case.text(&(bound..case.at)));
    let meant = Some((text, vec![(place, "0..".to_owned())]));
    let problem = OtherNotation { meant, ..case.problem(bound..case.at, Habit::Repeat) };
    let zero = Token::Number(crate::diagnostics::Symbol::new("0"));
    Some(Cure::report(problem).put(bound..bound, vec![(zero, place), (Token::DotDot, place)]))
}

/// `<X: a> -> a unless b;`
fn gives_way(case: Case<'_>) -> Option<Cure> {
    case.found()?.as_name()?;
    let is_it = case.before(1) == Some(Token::Unless) && case.expects("<");
    is_it.then(|| Cure::report(case.problem(case.at..case.at + 1, Habit::UnlessVector)))
}

/// `<[S[i]: a] for i in 0..n> -> a;`, `<[S[i]: a, T[i]: b for i in 0..n]> -> a;`
fn single_member(case: Case<'_>) -> Option<Cure> {
    let ends = matches!(case.found()?, Token::Comma | Token::CloseBracket);
    let open = open_bracket(case).filter(|_| ends && case.expects("for"))?;
    let close = case.close(open)?;
    Some(Cure::report(case.problem(open..close + 1, Habit::SingleMember)))
}

/// `connect c : A.p [B.q, C.r];`, `priority c[A.p, B.q] < d;`: nothing stands between ports.
fn side_by_side(case: Case<'_>) -> Option<Cure> {
    if case.found()? != Token::Comma {
        return None;
    }
    let open = open_bracket(case).filter(|_| case.expects("]"))?;
    let close = case.close(open)?;
    let (mut with, mut edits) = (Vec::new(), Vec::new());
    let mut depth = 0_usize;
    for (token, span) in case.tokens(case.at..close) {
        match token {
            Token::OpenParen | Token::OpenBracket => depth += 1,
            Token::CloseParen | Token::CloseBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
        match token == Token::Comma && depth == 0 {
            true => edits.push((span, String::new())),
            false => with.push((token, span)),
        }
    }
    let meant = Some((String::new(), edits));
    let problem = OtherNotation { meant, ..case.problem(case.at..case.at + 1, Habit::JointSign) };
    Some(Cure::report(problem).put(case.at..close, with))
}

fn connector(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    match case.found()? {
        // `connect c : (A.p B.q);`
        Token::OpenParen if case.expects("[") => {
            let close = case.close(at)?;
            let edits = vec![(case.span(at), "[".to_owned()), (case.span(close), "]".to_owned())];
            let meant = Some((format!("[{}]", case.text(&(at + 1..close))), edits));
            let problem = OtherNotation { meant, ..case.problem(at..at + 1, Habit::JointGroup) };
            let mut with = vec![(Token::OpenBracket, case.span(at))];
            with.extend(case.tokens(at + 1..close));
            with.push((Token::CloseBracket, case.span(close)));
            Some(Cure::report(problem).put(at..close + 1, with))
        }
        // `connect A.p B.q;`
        Token::Dot if at == 2 && case.expects(":") => {
            Some(Cure::report(case.problem(1..2, Habit::ConnectName)))
        }
        _ => None,
    }
}

/// `priority b > a;`, `priority maximal;` in a process
fn own_priority(case: Case<'_>) -> Option<Cure> {
    match case.found()? {
        Token::Greater => super::nets::reversed(case),
        Token::Semicolon if case.before(1) == Some(Token::Maximal) => {
            Some(Cure::report(case.problem(case.at - 1..case.at, Habit::MaximalInside)))
        }
        _ => None,
    }
}
