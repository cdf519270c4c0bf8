//! Guards, quantifiers and operators as other languages write them.

use std::ops::Range;

use super::{Case, Cure};
use crate::diagnostics::Symbol;
use crate::syntax::problems::{Habit, OtherNotation};
use crate::syntax::token::{Foreign, Token};

pub(super) fn recognise(case: Case<'_>) -> Option<Cure> {
    clause(case)
        .or_else(|| transition(case))
        .or_else(|| quantifier(case))
        .or_else(|| operator(case))
}

// ---- guards and effects ----

fn clause(case: Case<'_>) -> Option<Cure> {
    let found = case.found()?;
    let word = found.as_name().map_or_else(String::new, |name| name.to_string());
    let guards = ["provided", "where", "whenever", "given", "guard", "with", "requires"];
    match found {
        Token::If if case.expects("when") => Some(case.instead(Habit::Guard, Token::When)),
        _ if case.expects("when") && guards.contains(&word.as_str()) => {
            Some(case.instead(Habit::Guard, Token::When))
        }
        Token::Then if case.expects("do") => Some(case.instead(Habit::Effect, Token::Do)),
        _ if case.expects("do") && matches!(word.as_str(), "effect" | "set" | "begin") => {
            Some(case.instead(Habit::Effect, Token::Do))
        }
        Token::When if case.context.tokens[..case.at].contains(&Token::Do) => guard_last(case),
        _ => None,
    }
}

/// `do x := 1 when x > 0`: the statement goes on without the guard.
fn guard_last(case: Case<'_>) -> Option<Cure> {
    let effect = case.context.tokens.iter().position(|&token| token == Token::Do)?;
    let end = case.value_end(case.at + 1);
    let guard = case.at..end;
    let (text, place) = (case.text(&guard), case.spans(&guard));
    let gone = crate::diagnostics::Span::new(case.span(case.at - 1).end, place.end);
    let edits = vec![(case.span(effect).before(), format!("{text} ")), (gone, String::new())];
    let meant = Some((format!("{text} {}", case.text(&(effect..case.at))), edits));
    let problem = case.problem(case.at..case.at + 1, Habit::GuardLast);
    let problem = OtherNotation { meant, ..problem };
    let mut with = case.tokens(guard.clone());
    with.extend(case.tokens(effect..case.at));
    Some(Cure::report(problem).put(effect..end, with))
}

// ---- transitions ----

fn transition(case: Case<'_>) -> Option<Cure> {
    if case.mark != Token::StartProcess {
        return None;
    }
    if case.expects("->") && case.at == 1 {
        return match case.found()? {
            Token::Implies | Token::Foreign(Foreign::LongImplies) => {
                Some(case.instead(Habit::Arrow, Token::Arrow))
            }
            Token::Minus => labelled_arrow(case),
            found if found.as_name().is_some() => worded(case),
            _ => None,
        };
    }
    match case.found()? {
        // `init s;`
        found if found.as_name().is_some() && case.expects("state") => {
            let at = case.at;
            if case.name(at).is_some_and(|word| word.as_str() == "to")
                && case.name(at + 1).is_some()
            {
                return Some(Cure::report(case.problem(0..at + 1, Habit::InitialStep)));
            }
            let marks: String =
                case.tokens(0..at).iter().map(|(mark, _)| format!("{mark} ")).collect();
            let text = format!("{marks}state {found}");
            let problem = case.meant(0..at + 1, Habit::InitialState, 0..at + 1, text);
            let with = vec![(Token::State, case.span(at)), (found, case.span(at))];
            Some(Cure::report(problem).put(at..at + 1, with))
        }
        // `state init s;`
        mark @ (Token::Init | Token::Final) if case.before(1) == Some(Token::State) => {
            let place = case.at - 1..case.at + 1;
            let text = format!("{mark} state");
            let problem = case.meant(place.clone(), Habit::InitialState, place.clone(), text);
            let span = case.spans(&place);
            Some(Cure::report(problem).put(place, vec![(mark, span), (Token::State, span)]))
        }
        // `put!x` and `get?x`
        Token::Foreign(Foreign::Not) | Token::Question if case.expects("when") => channel(case),
        _ => None,
    }
}

/// Whether a transition starts with this word in other languages.
pub(super) fn introduces(word: &str) -> bool {
    matches!(word, "transition" | "trans" | "edge" | "rule" | "from" | "on" | "goto" | "step")
}

/// `transition s -> t : go;`, `on go from s to t;`, `from s to t on go;`
fn worded(case: Case<'_>) -> Option<Cure> {
    if !introduces(case.name(0)?.as_str()) {
        return None;
    }
    let problem = case.problem(0..1, Habit::Transition);
    if case.token(2) == Some(Token::Arrow) {
        let meant = Some((
            case.text(&(1..case.context.tokens.len() - 1)),
            vec![(
                crate::diagnostics::Span::new(case.span(0).start, case.span(1).start),
                String::new(),
            )],
        ));
        return Some(Cure::report(OtherNotation { meant, ..problem }).put(0..1, Vec::new()));
    }
    let word = |wanted: &str| {
        let same = |token: &Token| token.as_name().is_some_and(|name| name.as_str() == wanted);
        case.context.tokens.iter().position(same).map(|at| at + 1)
    };
    let (Some(source), Some(target)) = (word("from"), word("to")) else {
        return Some(Cure::report(problem));
    };
    let (Some(from), Some(to)) = (case.name(source), case.name(target)) else {
        return Some(Cure::report(problem));
    };
    let action = word("on").or(Some(1)).filter(|&at| at != source && at != target);
    let Some(action) = action else { return Some(Cure::report(problem)) };
    let rest = (source + 1).max(target + 1);
    let action_end = case.action_end(action);
    let rest = rest.max(if action > rest { action_end } else { rest });
    let text = format!("{from} -> {to} : {}", case.text(&(action..action_end)));
    let span = case.spans(&(0..rest));
    let mut with = vec![
        (Token::Name(from), case.span(source)),
        (Token::Arrow, span),
        (Token::Name(to), case.span(target)),
        (Token::Colon, span),
    ];
    with.extend(case.tokens(action..action_end));
    // A word for `when` after it is part of the same habit.
    let mut place = 0..rest;
    let mut text = text;
    let is_guard =
        case.name(rest).is_some_and(|word| matches!(word.as_str(), "provided" | "where"));
    if is_guard || case.token(rest) == Some(Token::If) {
        with.push((Token::When, case.span(rest)));
        text.push_str(" when");
        place.end += 1;
    }
    let meant = Some((text.clone(), vec![(case.spans(&place), text)]));
    Some(Cure::report(OtherNotation { meant, ..problem }).put(place, with))
}

/// `s -go-> t` and `s --go--> t`
fn labelled_arrow(case: Case<'_>) -> Option<Cure> {
    let from = case.name(0)?;
    let first = (1..4).find(|&at| case.token(at) != Some(Token::Minus))?;
    // `s -[go]-> t`
    let bracketed = case.token(first) == Some(Token::OpenBracket);
    let action = first + usize::from(bracketed);
    let end = case.action_end(action);
    let after = end + usize::from(bracketed && case.token(end) == Some(Token::CloseBracket));
    let arrow = (after..after + 2).find(|&at| {
        matches!(case.token(at), Some(Token::Arrow | Token::Foreign(Foreign::LongArrow)))
    })?;
    let to = case.name(arrow + 1)?;
    let text = format!("{from} -> {to} : {}", case.text(&(action..end)));
    let place = 0..arrow + 2;
    let span = case.span(arrow);
    let mut with = vec![
        (Token::Name(from), case.span(0)),
        (Token::Arrow, span),
        (Token::Name(to), case.span(arrow + 1)),
        (Token::Colon, span),
    ];
    with.extend(case.tokens(action..end));
    let problem = case.meant(1..arrow + 1, Habit::Transition, place.clone(), text);
    Some(Cure::report(problem).put(place, with))
}

fn channel(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    let reads = case.found() == Some(Token::Question);
    let end = match case.after(1)? {
        Token::OpenParen => case.close(at + 1)? + 1,
        Token::Name(_) | Token::Number(_) | Token::True | Token::False => at + 2,
        _ => return None,
    };
    let value = if case.after(1)? == Token::OpenParen { at + 2..end - 1 } else { at + 1..end };
    let mark =
        if reads && matches!(case.token(value.start), Some(Token::Name(_))) { "?" } else { "" };
    let text = format!("({mark}{})", case.text(&value));
    let (open, close) = (case.span(at), case.span(end - 1).after());
    let mut with = vec![(Token::OpenParen, open)];
    if mark == "?" {
        with.push((Token::Question, open));
    }
    with.extend(case.tokens(value));
    with.push((Token::CloseParen, close));
    let problem = case.meant(at..end, Habit::Channel, at..end, text);
    Some(Cure::report(problem).put(at..end, with))
}

impl Case<'_> {
    /// Where an action ends that starts here.
    pub(super) fn action_end(&self, at: usize) -> usize {
        let open = at + 1;
        let close =
            (self.token(open) == Some(Token::OpenParen)).then(|| self.close(open)).flatten();
        close.map_or(open, |close| close + 1)
    }
}

// ---- quantifiers ----

fn quantifier(case: Case<'_>) -> Option<Cure> {
    let quantified =
        case.context.tokens[..case.at].iter().any(|t| matches!(t, Token::Forall | Token::Exists));
    if !quantified {
        return None;
    }
    if let Some(sign) = before_range(&case) {
        return Some(quantified_in(case, sign));
    }
    match case.found()? {
        Token::Colon | Token::Implies | Token::Foreign(Foreign::Bar) if case.expects(" . ") => {
            Some(quantifier_end(case))
        }
        _ => None,
    }
}

/// The `in` between the variable of a quantifier and a range, which does not fit.
fn before_range(case: &Case<'_>) -> Option<usize> {
    let tokens = case.context.tokens;
    let ends = |at: &usize| {
        matches!(tokens.get(*at), None | Some(Token::SpacedDot | Token::Colon | Token::Comma))
    };
    let sign = (0..=case.at).rev().find(|&at| tokens.get(at) == Some(&Token::In))?;
    let end = (sign + 1..=tokens.len()).find(ends)?;
    let is_variable = sign >= 2
        && tokens[sign - 1].as_name().is_some()
        && matches!(tokens[sign - 2], Token::Forall | Token::Exists | Token::Comma);
    let is_range = case.at <= end && tokens[sign..end].contains(&Token::DotDot);
    (is_variable && is_range).then_some(sign)
}

/// `forall i in 0..3 . p`, or with a `:` in the place of the dot.
fn quantified_in(case: Case<'_>, at: usize) -> Cure {
    let colon = (crate::diagnostics::Span::new(case.span(at - 1).end, case.span(at).end), ":");
    let mut edits = vec![(colon.0, colon.1.to_owned())];
    let mut with = vec![(Token::Colon, case.span(at))];
    let end = (at + 1..case.context.tokens.len()).find(|&one| {
        matches!(case.token(one), Some(Token::SpacedDot | Token::Colon | Token::Comma))
    });
    let mut last = at + 1;
    if let Some(end) = end
        && case.token(end) == Some(Token::Colon)
    {
        with.extend(case.tokens(at + 1..end));
        with.push((Token::SpacedDot, case.span(end)));
        edits.push((case.span(end), " . ".to_owned()));
        last = end + 1;
    }
    let shown = end.map_or(at + 2, |end| end);
    let text = format!("{}: {}", case.text(&(at - 1..at)), case.text(&(at + 1..shown)));
    let problem = case.problem(at..at + 1, Habit::QuantifiedIn);
    let meant = Some((text, edits));
    Cure::report(OtherNotation { meant, ..problem }).put(at..last, with)
}

fn quantifier_end(case: Case<'_>) -> Cure {
    let at = case.at;
    let text = " . ".to_owned();
    let problem = case.problem(at..at + 1, Habit::QuantifierEnd);
    let meant = Some((".".to_owned(), vec![(case.span(at), text)]));
    let cure = Cure::report(OtherNotation { meant, ..problem });
    cure.put(at..at + 1, vec![(Token::SpacedDot, case.span(at))])
}

// ---- operators ----

fn operator(case: Case<'_>) -> Option<Cure> {
    let found = case.found()?;
    match found {
        Token::Greater if case.before(1) == Some(Token::Less) => comparison(case, Token::NotEqual),
        Token::Greater if case.before(1) == Some(Token::LessEqual) => {
            comparison(case, Token::EqualEqual)
        }
        Token::Arrow if case.before(1) == Some(Token::Less) => comparison(case, Token::EqualEqual),
        Token::Arrow if case.after_operand() && case.expects("and") => {
            Some(case.instead(Habit::Implication, Token::Implies))
        }
        Token::Question if case.after_operand() || case.expects("and") => conditional(case),
        _ if case.before(1) == Some(Token::OpenBracket)
            && case.expects("_")
            && !case.expects("number") =>
        {
            listed(case)
        }
        Token::DotDot if case.expects("and") => in_range(case),
        Token::Equal | Token::SpacedDot | Token::Dot if case.before(1) == Some(Token::DotDot) => {
            Some(inclusive(case))
        }
        _ if case.expects("else") => otherwise(case, found),
        _ if case.after_operand() => word_operator(case, found),
        _ => None,
    }
}

/// Two signs that touch and mean one.
fn comparison(case: Case<'_>, meant: Token) -> Option<Cure> {
    case.touches(case.at - 1).then(|| compared(case, case.at - 1..case.at + 1, meant))
}

/// Another sign for some tokens; a comparison after it goes into parentheses.
fn compared(case: Case<'_>, sign: Range<usize>, meant: Token) -> Cure {
    use Token::*;
    let ends = |at: &usize| matches!(case.token(*at), Some(And | Or | Implies | Then | Else));
    let right = sign.end
        ..(sign.end..case.value_end(sign.end)).find(ends).unwrap_or(case.value_end(sign.end));
    let compares = |token: &Token| {
        matches!(token, EqualEqual | NotEqual | Less | LessEqual | Greater | GreaterEqual | Equal)
    };
    let span = case.span(case.at);
    if !case.context.tokens[right.clone()].iter().any(compares)
        || !matches!(meant, EqualEqual | NotEqual)
    {
        let problem = case.meant(sign.clone(), Habit::Comparison, sign.clone(), meant.to_string());
        return Cure::report(problem).put(sign, vec![(meant, span)]);
    }
    let text = format!("{meant} ({})", case.text(&right));
    let place = sign.start..right.end;
    let mut with = vec![(meant, span), (OpenParen, span)];
    with.extend(case.tokens(right));
    with.push((CloseParen, case.span(place.end - 1).after()));
    Cure::report(case.meant(sign, Habit::Comparison, place.clone(), text)).put(place, with)
}

fn word_operator(case: Case<'_>, found: Token) -> Option<Cure> {
    let meant = match found.as_name()?.as_str() {
        "xor" | "XOR" | "ne" => Token::NotEqual,
        "iff" | "eq" => Token::EqualEqual,
        "implies" => Token::Implies,
        "AND" | "And" => Token::And,
        "OR" | "Or" => Token::Or,
        _ => return None,
    };
    Some(compared(case, case.at..case.at + 1, meant))
}

/// `c ? a : b`
fn conditional(case: Case<'_>) -> Option<Cure> {
    let start = case.value_start(case.at);
    let colon =
        (case.at..case.context.tokens.len()).find(|&at| case.token(at) == Some(Token::Colon))?;
    let end = case.value_end(colon + 1);
    let (condition, yes, no) = (start..case.at, case.at + 1..colon, colon + 1..end);
    if condition.is_empty() || yes.is_empty() || no.is_empty() {
        return None;
    }
    let texts = (case.text(&condition), case.text(&yes), case.text(&no));
    let text = format!("if {} then {} else {}", texts.0, texts.1, texts.2);
    let mut with = vec![(Token::If, case.span(start).before())];
    with.extend(case.tokens(condition));
    with.push((Token::Then, case.span(case.at)));
    with.extend(case.tokens(yes));
    with.push((Token::Else, case.span(colon)));
    with.extend(case.tokens(no));
    let problem = case.meant(case.at..case.at + 1, Habit::Conditional, start..end, text);
    Some(Cure::report(problem).put(start..end, with))
}

/// `[0, 0, 1]`
fn listed(case: Case<'_>) -> Option<Cure> {
    let open = case.at - 1;
    let close = case.close(open)?;
    let problem = case.problem(open..close + 1, Habit::ArrayLiteral);
    let sort = match case.found()? {
        Token::Number(_) | Token::Minus => "Int",
        Token::True | Token::False => "Bool",
        _ => return Some(Cure::report(problem)),
    };
    let (mut elements, mut from) = (Vec::new(), open + 1);
    while from < close {
        let end = case.value_end(from).min(close);
        elements.push(from..end);
        from = end + 1;
    }
    let (span, first) = (case.span(open), elements.first()?.clone());
    let alike = |element: &Range<usize>| case.text(element) == case.text(&first);
    if !elements.iter().all(alike) {
        return Some(Cure::report(problem));
    }
    let text = format!("[_]{sort}({})", case.text(&first));
    let mut with = vec![
        (Token::OpenBracket, span),
        (Token::Underscore, span),
        (Token::CloseBracket, span),
        (Token::Name(Symbol::new(sort)), span),
        (Token::OpenParen, span),
    ];
    with.extend(case.tokens(first));
    with.push((Token::CloseParen, span));
    let place = open..close + 1;
    let meant = Some((text.clone(), vec![(case.spans(&place), text)]));
    Some(Cure::report(OtherNotation { meant, ..problem }).put(place, with))
}

/// `x in 0..3`, where `x` is a name.
fn in_range(case: Case<'_>) -> Option<Cure> {
    let sign = (0..case.at).rev().find(|&at| case.token(at) == Some(Token::In))?;
    let end = (case.at + 1..case.context.tokens.len()).find(|&at| {
        use Token::*;
        matches!(
            case.token(at),
            Some(And | Or | Implies | Do | Semicolon | Comma | CloseParen | Then)
        )
    })?;
    let (low, high) = (sign + 1..case.at, case.at + 1..end);
    let subject = sign.checked_sub(1)?;
    let plain = case.name(subject).is_some()
        && subject.checked_sub(1).and_then(|at| case.token(at)).is_some_and(|token| {
            use Token::*;
            matches!(token, When | And | Or | OpenParen | Implies | If | Comma | Equal | SpacedDot)
        });
    let problem = case.problem(sign..sign + 1, Habit::InRange);
    if !plain {
        return Some(Cure::report(problem));
    }
    let name = case.text(&(subject..sign));
    let text = format!("{} <= {name} and {name} < {}", case.text(&low), case.text(&high));
    let mut with = case.tokens(low);
    with.push((Token::LessEqual, case.span(sign)));
    with.extend(case.tokens(subject..sign));
    with.push((Token::And, case.span(sign)));
    with.extend(case.tokens(subject..sign));
    with.push((Token::Less, case.span(case.at)));
    with.extend(case.tokens(high));
    let meant = Some((text.clone(), vec![(case.spans(&(subject..end)), text)]));
    Some(Cure::report(OtherNotation { meant, ..problem }).put(subject..end, with))
}

/// `0..=3` and `0...3`
fn inclusive(case: Case<'_>) -> Cure {
    let place = case.at - 1..case.at + 2;
    let shown = case.at - 1..case.at + 1;
    let span = case.span(case.at - 1);
    let last = match case.after(1) {
        Some(Token::Number(digits)) => digits.as_str().parse::<u64>().ok(),
        _ => None,
    };
    match (case.found(), last.and_then(|last| last.checked_add(1))) {
        (Some(Token::Equal), Some(last)) => {
            let problem = case.meant(shown, Habit::Inclusive, place.clone(), format!("..{last}"));
            let number = Token::Number(Symbol::new(&last.to_string()));
            let with = vec![(Token::DotDot, span), (number, case.span(case.at + 1))];
            Cure::report(problem).put(place, with)
        }
        _ => {
            let problem = case.problem(shown.clone(), Habit::Inclusive);
            Cure::report(problem).put(shown, vec![(Token::DotDot, span)])
        }
    }
}

/// What stands where an `else` should.
fn otherwise(case: Case<'_>, found: Token) -> Option<Cure> {
    let at = case.at;
    let span = case.span(at);
    if found.as_name().is_some_and(|w| matches!(w.as_str(), "elif" | "elsif" | "elseif")) {
        let problem = case.meant(at..at + 1, Habit::ElseIf, at..at + 1, "else if");
        return Some(
            Cure::report(problem).put(at..at + 1, vec![(Token::Else, span), (Token::If, span)]),
        );
    }
    if !matches!(found, Token::Semicolon | Token::Comma | Token::CloseParen) {
        return None;
    }
    let start = (0..at).rev().find(|&one| case.token(one) == Some(Token::If))?;
    let problem = case.problem(start..start + 1, Habit::NoElse);
    // What a variable keeps is its value.
    let target = start.checked_sub(2).and_then(|target| case.name(target));
    match target.filter(|_| case.token(start - 1) == Some(Token::Assign)) {
        Some(name) => {
            let kept = Token::Name(name);
            let after = case.span(at - 1).after();
            let meant = Some((format!("else {kept}"), vec![(after, format!(" else {kept}"))]));
            let with = vec![(Token::Else, after), (kept, after)];
            Some(Cure::report(OtherNotation { meant, ..problem }).put(at..at, with))
        }
        None => Some(Cure::report(problem)),
    }
}
