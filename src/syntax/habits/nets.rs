//! Vectors, connectors, sub-nets, priorities and checks as other languages write them.

use super::{Case, Cure};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::cut;
use crate::syntax::problems::{Habit, OtherNotation};
use crate::syntax::token::Token;

pub(super) fn recognise(case: Case<'_>) -> Option<Cure> {
    // Rules have the statements of nets.
    let mark = if case.mark == Token::StartRule { Token::StartNet } else { case.mark };
    match (mark, case.first()?) {
        (Token::StartNet, Token::Less | Token::Connect) if repeats_early(case).is_some() => {
            repeats_early(case)
        }
        (Token::StartNet, Token::Less | Token::Connect | Token::Priority)
            if for_all(case).is_some() =>
        {
            for_all(case)
        }
        (Token::StartNet, Token::Less) => vector(case),
        (Token::StartNet, Token::OpenParen) => vector_brackets(case),
        (Token::StartNet, Token::Name(word)) if case.at == 0 => {
            if is_operator(word.as_str()) {
                return Some(Cure::report(case.problem(0..1, Habit::NetOperator)));
            }
            no_brackets(case)
        }
        (Token::StartNet, Token::Connect) => connector(case),
        (Token::StartNet, Token::Sub) => sub_net(case),
        (Token::StartNet, Token::Priority) => priority(case),
        (Token::StartNet, Token::For) if case.at == 0 => Some(repeat_first(case)),
        (Token::StartItem | Token::StartCheck, Token::Check) | (Token::StartClaim, _) => {
            check(case)
        }
        _ => None,
    }
}

/// `for all i in 0..n`, `for each i in 0..n`, `foreach i in 0..n`
fn for_all(case: Case<'_>) -> Option<Cure> {
    let is = |at: usize, words: [&str; 3]| {
        case.name(at).is_some_and(|word| words.contains(&word.as_str()))
    };
    let word = case.at.checked_sub(1)?;
    if case.expects("in")
        && case.before(2) == Some(Token::For)
        && is(word, ["all", "each", "every"])
    {
        let meant = Some((String::new(), vec![(case.until(word, case.at), String::new())]));
        let problem = OtherNotation { meant, ..case.problem(word..case.at, Habit::Repeat) };
        return Some(Cure::report(problem).put(word..case.at, Vec::new()));
    }
    let is_it = case.expects("for") && is(case.at, ["foreach", "forEach", "for_each"]);
    is_it.then(|| case.instead(Habit::Repeat, Token::For))
}

/// What other languages make of components, by these words.
pub(super) fn is_operator(word: &str) -> bool {
    matches!(word, "hide" | "allow" | "comm" | "block" | "encap" | "restrict" | "rename" | "par")
}

/// `X: go, Y: go -> go;`
fn no_brackets(case: Case<'_>) -> Option<Cure> {
    let arrow = case.context.tokens.iter().position(|&token| token == Token::Arrow)?;
    if !cut::names_member(case.context.tokens) {
        return None;
    }
    let (before, after) = (case.span(0).before(), case.span(arrow - 1).after());
    let edits = vec![(before, "<".to_owned()), (after, ">".to_owned())];
    let meant = Some((format!("<{}>", case.text(&(0..arrow))), edits));
    let problem = OtherNotation { meant, ..case.problem(0..1, Habit::VectorBrackets) };
    let mut with = vec![(Token::Less, before)];
    with.extend(case.tokens(0..arrow));
    with.push((Token::Greater, after));
    Some(Cure::report(problem).put(0..arrow, with))
}

/// `<X: go> when g -> go;`
fn guard_before_result(case: Case<'_>) -> Option<Cure> {
    let guard = case.at;
    let length = case.context.tokens.len();
    let arrow = (guard..length).find(|&at| case.token(at) == Some(Token::Arrow))?;
    let problem = case.problem(guard..guard + 1, Habit::GuardBeforeResult);
    let ends = |at: &usize| {
        use Token::*;
        matches!(case.token(*at), Some(When | Unless | For | Semicolon))
    };
    let end = (arrow..length).find(ends).unwrap_or(length);
    if case.token(end) == Some(Token::When) {
        return Some(Cure::report(problem));
    }
    let text = format!("{} {}", case.text(&(arrow..end)), case.text(&(guard..arrow)));
    let mut with = case.tokens(arrow..end);
    with.extend(case.tokens(guard..arrow));
    let meant = Some((text.clone(), vec![(case.spans(&(guard..end)), text)]));
    Some(Cure::report(OtherNotation { meant, ..problem }).put(guard..end, with))
}

/// `<S[i]: go> -> go for i in 0..n when g;`
fn repeats_early(case: Case<'_>) -> Option<Cure> {
    if !matches!(case.found()?, Token::When | Token::Unless | Token::Do) {
        return None;
    }
    let (at, length) = (case.at, case.context.tokens.len());
    let repeat = (0..at).rfind(|&at| case.token(at) == Some(Token::For))?;
    // What is repeated inside of brackets ends with them.
    if cut::unpaired(&case.context.tokens[repeat..at]).is_some() {
        return None;
    }
    let end = if case.token(length - 1) == Some(Token::Semicolon) { length - 1 } else { length };
    let text = format!("{} {}", case.text(&(at..end)), case.text(&(repeat..at)));
    let meant = Some((text.clone(), vec![(case.spans(&(repeat..end)), text)]));
    let problem = case.problem(repeat..repeat + 1, Habit::RepeatEarly);
    let mut with = case.tokens(at..end);
    with.extend(case.tokens(repeat..at));
    Some(Cure::report(OtherNotation { meant, ..problem }).put(repeat..end, with))
}

fn vector(case: Case<'_>) -> Option<Cure> {
    match case.found()? {
        Token::When if case.expects("->") => guard_before_result(case),
        Token::Semicolon if case.expects(",") && case.expects(">") => separators(case),
        Token::Semicolon if case.expects("->") => {
            let members = 0..case.at;
            Some(Cure::report(case.problem(members, Habit::NoResult)))
        }
        Token::Implies if case.expects("->") => Some(case.instead(Habit::Arrow, Token::Arrow)),
        Token::Dot if case.expects(":") => members(case),
        Token::Do if case.expects("unless") => {
            Some(Cure::report(case.problem(case.at..case.at + 1, Habit::VectorAssigns)))
        }
        Token::Colon if case.expects("in") => Some(case.instead(Habit::Repeat, Token::In)),
        Token::Forall if case.expects("for") => Some(case.instead(Habit::Repeat, Token::For)),
        _ => None,
    }
}

/// Signs in the place of a `:` or `,`, up to the `>` of a vector: each is mended, and the first reported.
fn mend_members(case: Case<'_>, habit: Habit, wrong: Token, meant: Token) -> Option<Cure> {
    let end =
        (case.at..case.context.tokens.len()).find(|&at| case.token(at) == Some(Token::Greater))?;
    let mut with = case.tokens(case.at..end);
    let mut edits = Vec::new();
    let text = if meant == Token::Colon { ": " } else { "," };
    for (token, span) in &mut with {
        if *token == wrong {
            *token = meant;
            edits.push((*span, text.to_owned()));
        }
    }
    let meant = Some((meant.to_string(), edits));
    let problem = OtherNotation { meant, ..case.problem(case.at..case.at + 1, habit) };
    Some(Cure::report(problem).put(case.at..end, with))
}

fn separators(case: Case<'_>) -> Option<Cure> {
    mend_members(case, Habit::Separator, Token::Semicolon, Token::Comma)
}

fn members(case: Case<'_>) -> Option<Cure> {
    mend_members(case, Habit::Member, Token::Dot, Token::Colon)
}

/// `(X: go, Y: go) -> go;`
fn vector_brackets(case: Case<'_>) -> Option<Cure> {
    let close = case.close(0)?;
    if case.at != 0 || case.token(close + 1) != Some(Token::Arrow) {
        return None;
    }
    let (open, closed) = (case.span(0), case.span(close));
    let inside = case.text(&(1..close));
    let edits = vec![(open, "<".to_owned()), (closed, ">".to_owned())];
    let meant = Some((format!("<{inside}>"), edits));
    let problem = OtherNotation { meant, ..case.problem(0..1, Habit::VectorBrackets) };
    let mut with = vec![(Token::Less, open)];
    with.extend(case.tokens(1..close));
    with.push((Token::Greater, closed));
    Some(Cure::report(problem).put(0..close + 1, with))
}

/// `for i in 0..3 <X: go> -> go;`
fn repeat_first(case: Case<'_>) -> Cure {
    Cure::report(case.problem(0..1, Habit::RepeatFirst))
}

/// `connect go : X.a, Y.b;` and the like: what stands between ports goes.
fn connector(case: Case<'_>) -> Option<Cure> {
    let found = case.found()?;
    match found {
        Token::Equal if case.expects(":") => {
            return Some(case.instead(Habit::ConnectorSign, Token::Colon));
        }
        Token::Colon if case.expects(".") => return mend_ports(case),
        Token::Dot if case.expects(":=") => {
            let place = case.at.checked_sub(1)?..case.at + 2;
            return Some(Cure::report(case.problem(place, Habit::PortData)));
        }
        _ => {}
    }
    let between = |token: Token| {
        matches!(token, Token::Comma | Token::Minus | Token::Plus | Token::Star | Token::Or)
    };
    // Behind a comma, a port of a definition that is used could follow, where this were one.
    let in_ports =
        case.expects("'") || found == Token::Comma && case.expects("do") && case.expects("[");
    if !in_ports || !between(found) {
        return None;
    }
    let end = (case.at..case.context.tokens.len()).find(|&at| {
        matches!(case.token(at), Some(Token::When | Token::Do | Token::For | Token::Semicolon))
    })?;
    let (mut with, mut edits) = (Vec::new(), Vec::new());
    let mut depth = 0usize;
    for (token, span) in case.tokens(case.at..end) {
        match token {
            Token::OpenParen => depth += 1,
            Token::CloseParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        if token == found && depth == 0 {
            edits.push((span, String::new()));
        } else {
            with.push((token, span));
        }
    }
    let texts: Vec<String> = with.iter().map(|(token, _)| token.to_string()).collect();
    let shown = format!("{} {}", case.text(&(0..case.at)), texts.concat());
    let meant = Some((shown, edits));
    let problem = OtherNotation { meant, ..case.problem(case.at..case.at + 1, Habit::Ports) };
    Some(Cure::report(problem).put(case.at..end, with))
}

/// `connect go : X:a Y:b;`
fn mend_ports(case: Case<'_>) -> Option<Cure> {
    let end = case.context.tokens.len();
    let (mut with, mut edits) = (case.tokens(case.at..end), Vec::new());
    for at in case.at..end {
        if case.token(at) == Some(Token::Colon) {
            with[at - case.at].0 = Token::Dot;
            edits.push((case.gap(at - 1, at + 1), ".".to_owned()));
        }
    }
    let meant = Some((".".to_owned(), edits));
    let problem = OtherNotation { meant, ..case.problem(case.at..case.at + 1, Habit::Port) };
    Some(Cure::report(problem).put(case.at..end, with))
}

fn sub_net(case: Case<'_>) -> Option<Cure> {
    match case.found()? {
        Token::Match if case.before(1) == Some(Token::Equal) => {
            Some(Cure::report(case.problem(case.at..case.at + 1, Habit::ChosenComponent)))
        }
        Token::Colon if case.expects("=") => Some(case.instead(Habit::SubNet, Token::Equal)),
        Token::In if case.expects(":") => {
            let place = Span::new(case.span(case.at - 1).end, case.span(case.at).end);
            let shown = case.at - 1..case.at + 1;
            let text = format!("{}:", case.text(&(case.at - 1..case.at)));
            let meant = Some((text, vec![(place, ":".to_owned())]));
            let problem = OtherNotation { meant, ..case.problem(shown, Habit::FamilyIndex) };
            let with = vec![(Token::Colon, case.span(case.at))];
            Some(Cure::report(problem).put(case.at..case.at + 1, with))
        }
        // `sub S[0..n]`
        Token::Number(_)
            if case.before(1) == Some(Token::OpenBracket)
                && case.after(1) == Some(Token::DotDot) =>
        {
            let (at, span) = (case.at, case.span(case.at));
            let place = at..case.close(at - 1)?;
            let text = format!("i: {}", case.text(&place));
            let problem = case.meant(place.clone(), Habit::FamilyIndex, place, text);
            let with = vec![(Token::Name(Symbol::new("i")), span), (Token::Colon, span)];
            Some(Cure::report(problem).put(at..at, with))
        }
        // `sub S[0] = P; sub S[1] = Q;`
        Token::Number(number)
            if case.before(1) == Some(Token::OpenBracket) && number.as_str() == "0" =>
        {
            Some(Cure::report(case.problem(case.at..case.at + 1, Habit::OneMember)))
        }
        number @ Token::Number(_) if case.before(1) == Some(Token::OpenBracket) => {
            let (at, span) = (case.at, case.span(case.at));
            let text = format!("i: 0..{number}");
            let problem = case.meant(at..at + 1, Habit::FamilyIndex, at..at + 1, text);
            let zero = Token::Number(Symbol::new("0"));
            let index = Token::Name(Symbol::new("i"));
            let with = [index, Token::Colon, zero, Token::DotDot, number];
            Some(Cure::report(problem).put(at..at + 1, with.map(|token| (token, span)).into()))
        }
        found if found.as_name().is_some() && is_new(case) => {
            let word = case.at - 1;
            let gone = Span::new(case.span(word).start, case.span(case.at).start);
            let end = case.context.tokens.len() - 1;
            let meant = Some((case.text(&(case.at..end)), vec![(gone, String::new())]));
            let problem = OtherNotation { meant, ..case.problem(word..case.at, Habit::New) };
            Some(Cure::report(problem).put(word..case.at, Vec::new()))
        }
        _ => None,
    }
}

fn is_new(case: Case<'_>) -> bool {
    let word = case.at.checked_sub(1).and_then(|at| case.name(at));
    word.is_some_and(|word| word.as_str() == "new") && case.before(2) == Some(Token::Equal)
}

fn priority(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    match case.found()? {
        Token::Sync | Token::Co => {
            let gone = case.until(at, at + 1);
            let meant = Some((String::new(), vec![(gone, String::new())]));
            let problem = OtherNotation { meant, ..case.problem(at..at + 1, Habit::SyncPriority) };
            Some(Cure::report(problem).put(at..at + 1, Vec::new()))
        }
        Token::OpenParen => priority_arguments(case),
        Token::Dot | Token::OpenBracket => {
            let end = (at..case.context.tokens.len()).find(|&one| {
                matches!(case.token(one), Some(Token::Less | Token::Comma | Token::Semicolon))
            })?;
            Some(Cure::report(case.problem(at - 1..end, Habit::InnerPriority)))
        }
        Token::Greater => reversed(case),
        _ => None,
    }
}

/// `priority b > a;`
pub(super) fn reversed(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    let (high, low) = (case.name(at - 1)?, case.name(at + 1)?);
    let alone = matches!(case.before(2)?, Token::Priority | Token::Comma)
        && matches!(case.after(2)?, Token::Semicolon | Token::Comma);
    let problem = case.problem(at..at + 1, Habit::PriorityReversed);
    if !alone {
        return Some(Cure::report(problem));
    }
    let place = at - 1..at + 2;
    let (high, low) = (Token::Name(high), Token::Name(low));
    let text = format!("{low} < {high}");
    let meant = Some((text.clone(), vec![(case.spans(&place), text)]));
    let with =
        vec![(low, case.span(at + 1)), (Token::Less, case.span(at)), (high, case.span(at - 1))];
    Some(Cure::report(OtherNotation { meant, ..problem }).put(place, with))
}

/// `priority get(_) < put(_)`: the data of all of them goes.
fn priority_arguments(case: Case<'_>) -> Option<Cure> {
    let (mut edits, mut with, mut at) = (Vec::new(), Vec::new(), case.at);
    let end = case.context.tokens.len();
    while at < end {
        if case.token(at) == Some(Token::OpenParen) {
            let close = case.close(at)?;
            edits.push((case.spans(&(at..close + 1)), String::new()));
            at = close + 1;
        } else {
            with.extend(case.tokens(at..at + 1));
            at += 1;
        }
    }
    let shown = case.at..case.close(case.at)? + 1;
    let meant = Some((case.text(&(case.at - 1..case.at)), edits));
    let problem = OtherNotation { meant, ..case.problem(shown, Habit::PriorityArguments) };
    Some(Cure::report(problem).put(case.at..end, with))
}

/// `check eventually(S, …);` has words in a later stage, and is cut short for it; `check A == B;` has a name here.
fn check(case: Case<'_>) -> Option<Cure> {
    // Whoever asks on the command line need not say that it is a check.
    let said = usize::from(case.token(0) == Some(Token::Check));
    let word = said + usize::from(case.token(said) == Some(Token::Not));
    let name = case.name(word)?;
    let open = word + 1;
    match case.token(open)? {
        Token::OpenParen if !is_known(name.as_str()) && !has_property(name.as_str()) => {
            let close = case.close(open)?;
            let mut depth = 0usize;
            let comma = (open + 1..close).find(|&at| {
                match case.token(at) {
                    Some(Token::OpenParen | Token::Less) => depth += 1,
                    Some(Token::CloseParen | Token::Greater) => depth = depth.saturating_sub(1),
                    Some(Token::Comma) if depth == 0 => return true,
                    _ => {}
                }
                false
            });
            let start = comma.filter(|&comma| comma < case.at)?;
            let length = case.context.tokens.len();
            let ends =
                length.checked_sub(1).filter(|&last| case.token(last) == Some(Token::Semicolon));
            let end = ends.unwrap_or(length);
            let with = vec![(Token::CloseParen, case.span(close))];
            Some(Cure { problem: None, splice: None, ends: false }.put(start..end, with))
        }
        Token::OpenParen
            if name.as_str() == "size" && case.before(1) == Some(Token::EqualEqual) =>
        {
            let number = matches!(case.found(), Some(Token::Number(_) | Token::Name(_)));
            let place = case.at..case.at + 1;
            number.then(|| Cure::report(case.problem(place, Habit::OneNumber)))
        }
        // `check deadlock_free S;`
        Token::Name(net)
            if is_known(name.as_str()) && case.token(open + 1) == Some(Token::Semicolon) =>
        {
            let (net, span) = (Token::Name(net), case.span(open));
            let text = format!("{name}({net})");
            let place = word..open + 1;
            let problem = case.meant(open..open + 1, Habit::CheckBrackets, place.clone(), text);
            let with = vec![
                (Token::Name(name), case.span(word)),
                (Token::OpenParen, span),
                (net, span),
                (Token::CloseParen, span),
            ];
            Some(Cure::report(problem).put(place, with))
        }
        sign @ (Token::EqualEqual | Token::Equal | Token::Name(_)) => {
            let kind = sign.as_name().unwrap_or_else(|| Symbol::new("bisimilar"));
            if !is_known(kind.as_str()) {
                return None;
            }
            let other = case.name(open + 1)?;
            if case.token(open + 2) != Some(Token::Semicolon) {
                return Some(Cure::report(case.problem(open..open + 1, Habit::CheckOperator)));
            }
            let text = format!("{kind}({}, {})", Token::Name(name), Token::Name(other));
            let place = word..open + 2;
            let problem = case.meant(open..open + 1, Habit::CheckOperator, place.clone(), text);
            let span = case.span(open);
            let with = vec![
                (Token::Name(kind), span),
                (Token::OpenParen, span),
                (Token::Name(name), case.span(word)),
                (Token::Comma, span),
                (Token::Name(other), case.span(open + 1)),
                (Token::CloseParen, span),
            ];
            Some(Cure::report(problem).put(place, with))
        }
        _ => None,
    }
}

/// The checks that take no property: what does not fit there is no habit.
fn is_known(word: &str) -> bool {
    matches!(
        word,
        "bisimilar"
            | "weakly_bisimilar"
            | "refines"
            | "weakly_refines"
            | "deadlock_free"
            | "deterministic"
            | "terminates"
            | "nonblocking"
            | "size"
    )
}

/// The checks that take one: what is wrong in it is found there.
fn has_property(word: &str) -> bool {
    matches!(word, "always" | "reaches" | "live" | "mutex" | "at_most" | "never")
}
