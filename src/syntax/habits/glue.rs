//! Definitions of connectors and their uses as BIP and other languages write them.

use super::{Case, Cure, updates};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::cut;
use crate::syntax::problems::{Habit, OtherNotation};
use crate::syntax::token::Token;

pub(super) fn recognise(case: Case<'_>) -> Option<Cure> {
    match (case.mark, case.first()?) {
        (Token::StartConnector, _) => statement(case),
        (Token::StartHead | Token::StartItem, Token::Connector) => head(case),
        (Token::StartNet, Token::Connect) => used(case),
        (Token::StartNet, Token::Connector) => used_by_type(case),
        (Token::StartNet, Token::Priority) => priority(case),
        _ => None,
    }
}

/// Where a statement of a definition ends whose transfers stand in braces: `down { r.y = s.x; }`.
pub(super) fn longer(tokens: &[Token], start: usize, end: usize) -> Option<usize> {
    let statement = tokens.get(start..end)?;
    let open = statement.iter().position(|&token| token == Token::OpenBrace)?;
    let moves = |token: &Token| matches!(token, Token::Up | Token::Down);
    if !open.checked_sub(1).is_some_and(|before| moves(&statement[before])) {
        return None;
    }
    let mut end = updates::braced_end(tokens, start + open)?;
    // `up { … } down { … }` is one statement.
    while tokens.get(end) == Some(&Token::Down) && tokens.get(end + 1) == Some(&Token::OpenBrace) {
        end = updates::braced_end(tokens, end + 1)?;
    }
    Some(end)
}

// ---- statements of definitions ----

fn statement(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    let in_ports = |case: Case<'_>| {
        let moves = |token: &Token| matches!(token, Token::When | Token::Up | Token::Down);
        !case.context.tokens[..case.at].iter().any(moves)
    };
    match case.found()? {
        Token::OpenBrace if matches!(case.before(1)?, Token::Up | Token::Down) => braces(case),
        // `on p q do q.y := p.x`
        Token::Do => Some(case.instead(Habit::DefinitionMoves, Token::Down)),
        Token::Comma | Token::Plus | Token::Minus | Token::Or if in_ports(case) => between(case),
        // `on p provided (p.x > 0)`: the word was taken for a port.
        Token::OpenParen
            if in_ports(case)
                && at.checked_sub(1).and_then(|at| case.name(at)).is_some_and(is_guard) =>
        {
            let word = at - 1..at;
            let problem = case.meant(word.clone(), Habit::Guard, word.clone(), "when");
            Some(Cure::report(problem).put(word.clone(), vec![(Token::When, case.span(at - 1))]))
        }
        Token::OpenParen if in_ports(case) => {
            let close = case.close(at)?;
            let edits = vec![(case.span(at), "[".to_owned()), (case.span(close), "]".to_owned())];
            let meant = Some((format!("[{}]", case.text(&(at + 1..close))), edits));
            let problem = OtherNotation { meant, ..case.problem(at..at + 1, Habit::JointGroup) };
            let mut with = vec![(Token::OpenGroup, case.span(at))];
            with.extend(case.tokens(at + 1..close));
            with.push((Token::CloseBracket, case.span(close)));
            Some(Cure::report(problem).put(at..close + 1, with))
        }
        // `on p q q.y := p.x`
        Token::Dot if in_ports(case) => {
            let name = at.checked_sub(1)?;
            // `p q provided p.x > 0`
            if let Some(word) =
                name.checked_sub(1).filter(|&at| case.name(at).is_some_and(is_guard))
            {
                let place = word..word + 1;
                let problem = case.meant(place.clone(), Habit::Guard, place.clone(), "when");
                return Some(
                    Cure::report(problem).put(place, vec![(Token::When, case.span(word))]),
                );
            }
            let text = format!("down {}", case.text(&(name..name + 1)));
            let place = case.span(name).before();
            let meant = Some((text, vec![(place, "down ".to_owned())]));
            let problem = OtherNotation { meant, ..case.problem(name..at + 2, Habit::NoDown) };
            Some(Cure::report(problem).put(name..name, vec![(Token::Down, place)]))
        }
        Token::For if in_ports(case) => {
            Some(Cure::report(case.problem(at..at + 1, Habit::JointRepeat)))
        }
        _ => None,
    }
}

fn is_guard(word: Symbol) -> bool {
    matches!(word.as_str(), "provided" | "where" | "given" | "guard" | "requires")
}

/// `on p, q`: ports stand side by side.
fn between(case: Case<'_>) -> Option<Cure> {
    let found = case.found()?;
    let ends =
        |token: Token| matches!(token, Token::When | Token::Up | Token::Down | Token::Semicolon);
    let length = case.context.tokens.len();
    let end = (case.at..length).find(|&at| case.token(at).is_some_and(ends)).unwrap_or(length);
    let (mut with, mut edits) = (Vec::new(), Vec::new());
    for (token, span) in case.tokens(case.at..end) {
        match token == found {
            true => edits.push((span, String::new())),
            false => with.push((token, span)),
        }
    }
    let meant = Some((String::new(), edits));
    let problem = OtherNotation { meant, ..case.problem(case.at..case.at + 1, Habit::JointSign) };
    Some(Cure::report(problem).put(case.at..end, with))
}

/// `down { r.y = s.x; t.y = s.x; }`
fn braces(case: Case<'_>) -> Option<Cure> {
    let (open, close) = (case.at, case.close(case.at)?);
    let mut with: Vec<(Token, Span)> = Vec::new();
    for (token, span) in case.tokens(open + 1..close) {
        with.push(match token {
            Token::Semicolon => (Token::Comma, span),
            Token::Equal => (Token::Assign, span),
            other => (other, span),
        });
    }
    while with.last().is_some_and(|(token, _)| *token == Token::Comma) {
        with.pop();
    }
    let shown: Vec<String> = with.iter().map(|(token, _)| token.to_string()).collect();
    let mut text = shown.join(" ");
    for (long, short) in
        [(" . ", "."), (" ,", ","), ("( ", "("), (" )", ")"), (" [ ", "["), (" ]", "]")]
    {
        text = text.replace(long, short);
    }
    // Behind braces, people write no `;`: the one that ends the statement is only put there.
    let is_put =
        |at: usize| case.token(at) == Some(Token::Semicolon) && case.text(&(at..at + 1)).is_empty();
    let end = if is_put(close + 1) { ";" } else { "" };
    let meant =
        Some((text.clone(), vec![(case.spans(&(open..close + 1)), format!("{text}{end}"))]));
    let problem = OtherNotation { meant, ..case.problem(open..open + 1, Habit::JointBraces) };
    let mut cure = Cure::report(problem).put(open..close + 1, with);
    cure.ends = true;
    Some(cure)
}

// ---- heads of definitions ----

fn head(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    let before = case.before(1)?;
    match case.found()? {
        // `connector type Pay(…)`
        found if at == 2 && found.as_name().is_some() && is_word(case, 1, "type") => {
            let gone = case.until(1, 2);
            let meant = Some((String::new(), vec![(gone, String::new())]));
            let problem = OtherNotation { meant, ..case.problem(1..2, Habit::ConnectorType) };
            Some(Cure::report(problem).put(1..2, Vec::new()))
        }
        // `exports top`
        found if case.expects("shows") && found.as_name().is_some() => {
            let word = found.as_name()?;
            let is_shown = matches!(word.as_str(), "export" | "exports" | "show" | "exposes");
            is_shown.then(|| case.instead(Habit::ShownPort, Token::Shows))
        }
        // `shows top: port(m: Int)`
        Token::Colon if case.before(2) == Some(Token::Shows) && case.expects("{") => {
            let is_port = is_word(case, at + 1, "port") || case.after(1) == Some(Token::Port);
            let end = if is_port { at + 2 } else { at + 1 };
            let place = at..end;
            let problem = case.meant(place.clone(), Habit::ShownPort, place.clone(), "");
            Some(Cure::report(problem).put(place, Vec::new()))
        }
        // `s: Int`
        found if case.expects("port") && before == Token::Colon && found.as_name().is_some() => {
            let text = format!("port(x: {found})");
            Some(Cure::report(case.meant(at..at + 1, Habit::FormalPort, at..at + 1, text)))
        }
        // `s, r` and `s(x: Int)`
        Token::Comma | Token::CloseParen | Token::OpenParen
            if case.expects(":") && case.expects("[") && before.as_name().is_some() =>
        {
            let place = case.span(at - 1).after();
            let text = format!("{}: port", case.text(&(at - 1..at)));
            let meant = Some((text, vec![(place, ": port".to_owned())]));
            let problem = OtherNotation { meant, ..case.problem(at - 1..at, Habit::FormalPort) };
            let with = vec![(Token::Colon, place), (Token::Port, place)];
            Some(Cure::report(problem).put(at..at, with))
        }
        // `Sig s`
        found
            if case.expects(":")
                && case.expects("[")
                && found.as_name().is_some()
                && before.as_name().is_some() =>
        {
            let place = at - 1..at + 1;
            let text = format!("{found}: port");
            let problem = case.meant(place.clone(), Habit::FormalPort, place.clone(), text);
            let span = case.span(at);
            let with = vec![(found, span), (Token::Colon, span), (Token::Port, span)];
            Some(Cure::report(problem).put(place, with))
        }
        // `port(Int)`
        Token::Comma | Token::CloseParen if case.expects(":") && is_in_port(case) => {
            let sort = case.text(&(at - 1..at));
            let (place, text) = (case.span(at - 1).before(), format!("x: {sort}"));
            let meant = Some((text, vec![(place, "x: ".to_owned())]));
            let problem = OtherNotation { meant, ..case.problem(at - 1..at, Habit::PortVariable) };
            Some(Cure::report(problem))
        }
        // `connector C<n, T>(…)`
        Token::Comma | Token::Greater if case.expects(":") && before.as_name().is_some() => {
            let name = before.as_name()?;
            let is_sort = name.as_str().starts_with(char::is_uppercase);
            let place = case.span(at - 1).after();
            let word = if is_sort { "sort" } else { "Int" };
            let sort = Token::Name(Symbol::new(word));
            let text = format!("{name}: {word}");
            let meant = Some((text, vec![(place, format!(": {word}"))]));
            let problem = OtherNotation { meant, ..case.problem(at - 1..at, Habit::NoSort) };
            Some(Cure::report(problem).put(at..at, vec![(Token::Colon, place), (sort, place)]))
        }
        // `r[n]: port`
        Token::CloseBracket if case.expects(":") && case.before(2) == Some(Token::OpenBracket) => {
            let text = format!("i: 0..{}", case.text(&(at - 1..at)));
            let place = at - 1..at;
            Some(Cure::report(case.meant(place.clone(), Habit::PortFamily, place, text)))
        }
        // `r[0..n]: port`
        Token::Number(_) if before == Token::OpenBracket => {
            let close = case.close(at - 1)?;
            let place = at..close;
            let shown = case.text(&place);
            let text = match shown.contains("..") {
                true => format!("i: {shown}"),
                false => format!("i: 0..{shown}"),
            };
            Some(Cure::report(case.meant(place.clone(), Habit::PortFamily, place, text)))
        }
        _ => None,
    }
}

fn is_word(case: Case<'_>, at: usize, wanted: &str) -> bool {
    case.name(at).is_some_and(|word| word.as_str() == wanted)
}

/// Whether the innermost open parenthesis is that of a port.
fn is_in_port(case: Case<'_>) -> bool {
    match cut::unpaired(&case.context.tokens[..case.at]) {
        Some(cut::Unpaired::Open(open)) => {
            open.checked_sub(1).and_then(|before| case.token(before)) == Some(Token::Port)
        }
        _ => false,
    }
}

// ---- uses ----

/// Whether `connector` uses a definition here, as in BIP, and defines nothing: `connector Cast say(A.p, B.q)`,
/// `connector say(A.p, B.q)`.
pub(super) fn uses_type(tokens: &[Token]) -> bool {
    let is_name = |at: usize| tokens.get(at).is_some_and(|token| token.as_name().is_some());
    let is = |at: usize, wanted: Token| tokens.get(at) == Some(&wanted);
    is(0, Token::Connector)
        && is_name(1)
        && (is_name(2) && is(3, Token::OpenParen)
            || is(2, Token::OpenParen) && is_name(3) && is(4, Token::Dot))
}

/// `connector Cast say(A.p, B.q);`
fn used_by_type(case: Case<'_>) -> Option<Cure> {
    if !uses_type(case.context.tokens) {
        return None;
    }
    let problem = case.problem(0..1, Habit::UseInNet);
    let close = case.close(3);
    // Several at once, and what has no definition, people take apart themselves.
    let (Some(of), Some(name), true) =
        (case.name(1), case.name(2), close.is_some_and(|at| ends_there(case, at + 1)))
    else {
        return Some(Cure::report(problem));
    };
    let text = format!("connect {name} : {of}");
    let meant = Some((text.clone(), vec![(case.spans(&(0..3)), text)]));
    let [first, second, third] = [0, 1, 2].map(|at| case.span(at));
    let with = vec![
        (Token::Connect, first),
        (Token::Name(name), third),
        (Token::Colon, third),
        (Token::Name(of), second),
    ];
    Some(Cure::report(OtherNotation { meant, ..problem }).put(0..3, with))
}

fn ends_there(case: Case<'_>, at: usize) -> bool {
    matches!(case.token(at), None | Some(Token::Semicolon))
}

/// Where the ports of a use begin: `connect m : Max(`.
fn ports(case: Case<'_>) -> Option<usize> {
    let tokens = case.context.tokens;
    let colon = tokens.iter().position(|&token| token == Token::Colon)?;
    let mut at = colon + 1;
    if case.token(at + 1) == Some(Token::ModuleDot) {
        at += 2;
    }
    case.name(at)?;
    at += 1;
    if case.token(at) == Some(Token::Less) {
        at = case.close(at)? + 1;
    }
    (case.token(at) == Some(Token::OpenParen)).then_some(at)
}

fn used(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    let found = case.found()?;
    // `connect Max(A.out, B.out);`
    let opens = case.context.tokens.iter().position(|&token| token == Token::OpenParen);
    let is_use = || opens.and_then(|open| case.close(open)) == at.checked_sub(1);
    if found == Token::Semicolon && case.expects(":") && is_use() {
        return Some(Cure::report(case.problem(1..at, Habit::UseName)));
    }
    // `connect c : A.p(x) B.q(y) down y := x;`
    if case.expects(".") && at > 0 && found.as_name().is_some() {
        let word = case.name(at - 1)?;
        if matches!(word.as_str(), "down" | "up") && case.after(1) == Some(Token::Assign) {
            let place = at - 1..at;
            let problem = case.meant(place.clone(), Habit::Effect, place.clone(), "do");
            return Some(Cure::report(problem).put(place, vec![(Token::Do, case.span(at - 1))]));
        }
    }
    // `connect c : Max A.out B.out;`
    let is_first = case.before(2) == Some(Token::Colon);
    if found.as_name().is_some()
        && is_first
        && case.expects("(")
        && case.after(1) == Some(Token::Dot)
    {
        return Some(Cure::report(case.problem(at - 1..at, Habit::UsePorts)));
    }
    let open = ports(case)?;
    let close = case.close(open)?;
    match found {
        Token::When | Token::Do | Token::If if at > close && case.expects("unless") => {
            Some(Cure::report(case.problem(at..at + 1, Habit::UseClause)))
        }
        _ if at < open || at > close => None,
        // `Max(A, B)`
        Token::Comma | Token::CloseParen if case.expects(".") => {
            Some(Cure::report(case.problem(at - 1..at, Habit::PartAsPort)))
        }
        // `Max(p: A.out, q: B.out)`
        Token::Colon if case.expects(".") && case.after(2) == Some(Token::Dot) => {
            let (mut with, mut edits) = (Vec::new(), Vec::new());
            let mut next = at - 1;
            while next < close {
                let is_named =
                    case.name(next).is_some() && case.token(next + 1) == Some(Token::Colon);
                if is_named {
                    edits.push((case.until(next, next + 2), String::new()));
                    next += 2;
                } else {
                    with.extend(case.tokens(next..next + 1));
                    next += 1;
                }
            }
            let meant = Some((String::new(), edits));
            let problem = OtherNotation { meant, ..case.problem(at - 1..at + 1, Habit::NamedPort) };
            Some(Cure::report(problem).put(at - 1..close, with))
        }
        // `Max(A.out B.out)`
        _ if found.as_name().is_some() && case.expects(",") && case.expects(")") => {
            let (mut with, mut edits) = (Vec::new(), Vec::new());
            for next in at..close {
                let ends = |token: Token| token.as_name().is_some() || token == Token::CloseBracket;
                let is_gap = case.name(next).is_some() && case.token(next - 1).is_some_and(ends);
                if is_gap {
                    let place = case.span(next - 1).after();
                    edits.push((place, ",".to_owned()));
                    with.push((Token::Comma, place));
                }
                with.extend(case.tokens(next..next + 1));
            }
            let meant = Some((",".to_owned(), edits));
            let problem = OtherNotation { meant, ..case.problem(at..at + 1, Habit::UseComma) };
            Some(Cure::report(problem).put(at..close, with))
        }
        _ => None,
    }
}

// ---- priorities ----

fn priority(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    match case.found()? {
        // `priority maximal progress;`
        found if at == 2 && found.as_name().is_some() && case.token(1) == Some(Token::Maximal) => {
            let place = at..at + 1;
            let problem = case.meant(place.clone(), Habit::MaximalProgress, place.clone(), "");
            Some(Cure::report(problem).put(place, Vec::new()))
        }
        // `priority low:A.a < high:*;`
        Token::Colon => Some(Cure::report(case.problem(at - 1..at + 1, Habit::PriorityPorts))),
        _ => None,
    }
}
