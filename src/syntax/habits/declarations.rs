//! Declarations as other languages write them.

use super::{Case, Cure, steps};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::problems::{Habit, OtherNotation};
use crate::syntax::token::Token;

/// What a word of another language declares.
pub(in crate::syntax) enum Declaration {
    /// The same as this keyword.
    Keyword(&'static str),
    /// A datatype with one constructor.
    Record,
    /// Something that does not exist here.
    Nothing(Habit),
}

/// What somebody declares who starts with this word.
pub(in crate::syntax) fn declaration(word: &str) -> Option<Declaration> {
    Some(match word {
        "record" | "struct" => Declaration::Record,
        "type" | "typedef" | "alias" => Declaration::Nothing(Habit::SortName),
        "invariant" => Declaration::Nothing(Habit::Invariant),
        "chan" | "channel" => Declaration::Nothing(Habit::Buffer),
        "package" => Declaration::Nothing(Habit::Package),
        "map" | "eqn" => Declaration::Nothing(Habit::Equations),
        "fn" | "def" | "func" | "function" => Declaration::Keyword("fun"),
        "proctype" | "proc" | "automaton" | "component" | "agent" | "class" => {
            Declaration::Keyword("process")
        }
        "system" | "network" | "compound" => Declaration::Keyword("net"),
        "use" | "include" | "using" | "open" | "require" => Declaration::Keyword("import"),
        "assert" | "property" | "claim" | "verify" => Declaration::Keyword("check"),
        "port" | "event" | "signal" | "act" | "actions" => Declaration::Keyword("action"),
        "test" | "run" | "trace" | "story" | "example" | "execution" | "usecase" => {
            Declaration::Keyword("scenario")
        }
        "inv" | "lemma" => Declaration::Keyword("invariant"),
        "constant" | "define" | "let" | "static" => Declaration::Keyword("const"),
        _ => return None,
    })
}

/// The keyword of a statement in a block that starts with this word of another language.
pub(in crate::syntax) fn variable(word: &str) -> Option<&'static str> {
    match word {
        "let" | "local" | "variable" | "mut" => Some("var"),
        "location" | "loc" | "place" => Some("state"),
        "initial" | "start" => Some("init"),
        _ => None,
    }
}

/// The predefined sort that this word is the name of in another language, or here.
pub(in crate::syntax) fn names_sort(word: &str) -> Option<&'static str> {
    match word {
        "int" | "Int" | "byte" | "short" | "long" | "nat" | "unsigned" => Some("Int"),
        "bool" | "Bool" | "bit" | "boolean" => Some("Bool"),
        _ => None,
    }
}

pub(super) fn recognise(case: Case<'_>) -> Option<Cure> {
    match (case.mark, case.first()?) {
        (Token::StartItem, Token::Name(_)) => record(case),
        (Token::StartItem, Token::Data | Token::Enum) => {
            sort_parameter(case).or_else(|| datatype(case))
        }
        (Token::StartItem, Token::Fun) => sort_parameter(case).or_else(|| function(case)),
        (Token::StartItem, Token::Import) => path(case),
        (Token::StartItem, Token::Action | Token::Interface) => action(case),
        (Token::StartProcess, Token::Var) if case.at == 2 && case.found() == Some(Token::Comma) => {
            steps::several_variables(case)
        }
        (Token::StartItem, Token::Const) | (Token::StartProcess, Token::Var) => no_sort(case),
        (Token::StartItem, Token::Sort) => sort(case),
        (Token::StartHead, Token::Process) => parameters(case).or_else(|| unsorted(case)),
        (Token::StartHead, Token::Net) => unsorted(case),
        (Token::StartProcess, Token::Name(_)) => sort_first(case).or_else(|| inner(case)),
        (Token::StartNet, Token::Name(_)) => inner(case),
        _ => None,
    }
}

/// `Msg ( seq: Int, body: Bool )`, from fields in braces.
fn constructor(
    case: Case<'_>,
    name: Symbol,
    open: usize,
    close: usize,
) -> (String, Vec<(Token, Span)>) {
    let end = (open + 1..close)
        .rev()
        .find(|&at| !matches!(case.token(at), Some(Token::Semicolon | Token::Comma)))
        .map_or(open + 1, |at| at + 1);
    let fields = open + 1..end;
    let text = format!("{name}({})", case.text(&fields).replace(';', ","));
    let (before, after) = (case.span(open), case.span(close));
    let mut with = vec![(Token::Name(name), before), (Token::OpenParen, before)];
    with.extend(case.tokens(fields).into_iter().map(|(token, span)| match token {
        Token::Semicolon => (Token::Comma, span),
        _ => (token, span),
    }));
    with.push((Token::CloseParen, after));
    (text, with)
}

/// `record Msg { seq: Int, body: Bool }`
fn record(case: Case<'_>) -> Option<Cure> {
    let name = case.name(1)?;
    let open = 2;
    let close = case.close(open).filter(|_| case.token(open) == Some(Token::OpenBrace))?;
    let (text, inside) = constructor(case, name, open, close);
    let end = case.context.tokens.len();
    let mut with = vec![(Token::Data, case.span(0)), (Token::Name(name), case.span(1))];
    with.push((Token::OpenBrace, case.span(open)));
    with.extend(inside);
    with.push((Token::CloseBrace, case.span(close)));
    let text = format!("data {} {{ {text} }}", Token::Name(name));
    let problem = case.meant(0..1, Habit::Record, 0..end, text);
    let mut cure = Cure::report(problem).put(0..end, with);
    cure.ends = true;
    Some(cure)
}

fn datatype(case: Case<'_>) -> Option<Cure> {
    let name = case.name(1)?;
    let found = case.found()?;
    match found {
        // `data Msg { seq: Int }`
        Token::Colon if case.token(2) == Some(Token::OpenBrace) && case.at == 4 => {
            let close = case.close(2)?;
            let (text, with) = constructor(case, name, 2, close);
            let problem = case.meant(3..4, Habit::Record, 3..close, text);
            Some(Cure::report(problem).put(3..close, with))
        }
        // `Pkt { seq: Int }`
        Token::OpenBrace if case.at > 3 => {
            let close = case.close(case.at)?;
            let constructed = case.name(case.at - 1)?;
            let (text, with) = constructor(case, constructed, case.at, close);
            let place = case.at - 1..close + 1;
            let problem = case.meant(case.at..case.at + 1, Habit::Record, place.clone(), text);
            Some(Cure::report(problem).put(place, with))
        }
        Token::Semicolon if case.expects(",") && case.expects("}") => semicolons(case),
        Token::Comma | Token::CloseParen
            if case.expects(":") && case.name(case.at - 1).is_some() =>
        {
            Some(Cure::report(case.problem(case.at - 1..case.at, Habit::FieldWithoutName)))
        }
        Token::Equal if case.at == 2 => alternatives(case),
        _ => None,
    }
}

/// `enum C { Red; Green; }`
fn semicolons(case: Case<'_>) -> Option<Cure> {
    let close = case.close(2)?;
    let mut with = case.tokens(case.at..close);
    let mut edits = Vec::new();
    for (token, span) in &mut with {
        if *token == Token::Semicolon {
            *token = Token::Comma;
            edits.push((*span, ",".to_owned()));
        }
    }
    let meant = Some((",".to_owned(), edits));
    let problem = OtherNotation { meant, ..case.problem(case.at..case.at + 1, Habit::Separator) };
    Some(Cure::report(problem).put(case.at..close, with))
}

/// `data Color = Red | Green;` and `enum Color = { Red, Green };`
fn alternatives(case: Case<'_>) -> Option<Cure> {
    let all = case.context.tokens.len();
    let end = if case.token(all - 1) == Some(Token::Semicolon) { all - 1 } else { all };
    let braced = case.token(3) == Some(Token::OpenBrace);
    let inside = if braced { 4..end.saturating_sub(1).max(4) } else { 3..end };
    let text: String = case.text(&inside).replace(" |", ",").replace('|', ",");
    let span = case.span(case.at);
    let mut with = vec![(Token::OpenBrace, span)];
    with.extend(case.tokens(inside));
    with.push((Token::CloseBrace, case.span(end - 1)));
    let text = format!("{{ {text} }}");
    let problem = case.meant(case.at..case.at + 1, Habit::Alternatives, case.at..all, text);
    let mut cure = Cure::report(problem).put(case.at..all, with);
    cure.ends = true;
    Some(cure)
}

/// `sort D = struct d1 | d2;` and `sort Bit = 0..2;`
fn sort(case: Case<'_>) -> Option<Cure> {
    let (at, all) = (case.at, case.context.tokens.len());
    if case.found()? != Token::Equal || at != 2 {
        return None;
    }
    let is_struct = case.name(3).is_some_and(|word| word.as_str() == "struct");
    if !is_struct {
        return Some(Cure::report(case.problem(at..at + 1, Habit::SortName)));
    }
    let inside = without_recognisers(case, 4..all - 1);
    let plain = inside.iter().all(|(token, _)| *token == Token::Comma || token.as_name().is_some());
    let (word, token) = if plain { ("enum", Token::Enum) } else { ("data", Token::Data) };
    let list: String = inside.iter().map(|(token, _)| token.to_string()).collect();
    let list = list.replace(',', ", ").replace(':', ": ");
    let text = format!("{word} {} {{ {list} }}", case.text(&(1..2)));
    let mut with = vec![(token, case.span(0))];
    with.extend(case.tokens(1..2));
    with.push((Token::OpenBrace, case.span(at)));
    with.extend(inside);
    with.push((Token::CloseBrace, case.span(all - 1)));
    let problem = case.meant(at..at + 1, Habit::Alternatives, 0..all, text);
    let mut cure = Cure::report(problem).put(0..all, with);
    cure.ends = true;
    Some(cure)
}

/// The alternatives of `struct d1 ? is_d1 | d2(x: Int) ? is_d2`, without the names of tests.
fn without_recognisers(case: Case<'_>, range: std::ops::Range<usize>) -> Vec<(Token, Span)> {
    let is_mark = |at: usize| case.token(at) == Some(Token::Question);
    let kept = range.filter(|&at| !is_mark(at) && !is_mark(at - 1));
    kept.filter_map(|at| Some((case.token(at)?, case.span(at)))).collect()
}

/// `port p;` and `invariant x < 3;` in a block.
fn inner(case: Case<'_>) -> Option<Cure> {
    if case.at > 1 || case.name(1).is_none() {
        return None;
    }
    let habit = match case.name(0)?.as_str() {
        "port" | "event" | "signal" | "act" | "actions" => Habit::InnerAction,
        "invariant" => Habit::Invariant,
        _ => return None,
    };
    Some(Cure::report(case.problem(0..1, habit)))
}

/// `import std::lotos;`
fn path(case: Case<'_>) -> Option<Cure> {
    if case.found()? != Token::Colon || case.after(1) != Some(Token::Colon) {
        return None;
    }
    let (mut edits, mut with, mut at) = (Vec::new(), Vec::new(), case.at);
    while let Some(token) = case.token(at) {
        if token == Token::Colon && case.token(at + 1) == Some(Token::Colon) {
            edits.push((case.spans(&(at..at + 2)), ".".to_owned()));
            with.push((Token::Dot, case.span(at)));
            at += 1;
        } else {
            with.push((token, case.span(at)));
        }
        at += 1;
    }
    let meant = Some((".".to_owned(), edits));
    let problem = OtherNotation { meant, ..case.problem(case.at..case.at + 2, Habit::Path) };
    Some(Cure::report(problem).put(case.at..case.context.tokens.len(), with))
}

fn function(case: Case<'_>) -> Option<Cure> {
    match case.found()? {
        Token::Arrow if case.expects(":") => {
            let place = Span::new(case.span(case.at - 1).end, case.span(case.at).end);
            let meant = Some((":".to_owned(), vec![(place, ":".to_owned())]));
            let at = case.at;
            let problem =
                OtherNotation { meant, ..case.problem(at..at + 1, Habit::FunctionResult) };
            Some(Cure::report(problem).put(at..at + 1, vec![(Token::Colon, case.span(at))]))
        }
        Token::OpenBrace if case.expects("=") => {
            let close = case.close(case.at)?;
            let inside = case.at + 1..close;
            let text = format!("= {};", case.text(&inside));
            let mut with = vec![(Token::Equal, case.span(case.at))];
            with.extend(case.tokens(inside));
            let problem =
                case.meant(case.at..case.at + 1, Habit::FunctionBody, case.at..close + 1, text);
            let mut cure = Cure::report(problem).put(case.at..close + 1, with);
            cure.ends = true;
            Some(cure)
        }
        _ => None,
    }
}

/// `action tau;` and `interface I { tau, a }`: it goes, with the comma that belongs to it.
fn silent(case: Case<'_>) -> Cure {
    let at = case.at;
    let is_comma = |at: usize| case.token(at) == Some(Token::Comma);
    let problem = case.problem(at..at + 1, Habit::SilentDeclared);
    let remove = |place: Span| {
        let meant = Some((String::new(), vec![(place, String::new())]));
        Cure::report(OtherNotation { meant, ..problem.clone() })
    };
    if is_comma(at + 1) {
        return remove(case.until(at, at + 2)).put(at..at + 2, Vec::new());
    }
    if is_comma(at - 1) {
        return remove(case.spans(&(at - 1..at + 1))).put(at - 1..at + 1, Vec::new());
    }
    if case.first() == Some(Token::Interface) {
        return remove(case.span(at)).put(at..at + 1, Vec::new());
    }
    // Nothing is left of the declaration.
    remove(case.spans(&(0..case.context.tokens.len())))
}

/// `interface I { action a; action b(Int); }`
fn listed(case: Case<'_>) -> Option<Cure> {
    let (open, close) = (2, case.close(2)?);
    let (mut with, mut edits) = (Vec::new(), Vec::new());
    for at in open + 1..close {
        let last = (at + 1..close).all(|at| case.token(at) == Some(Token::Semicolon));
        match case.token(at)? {
            Token::Action => {
                edits.push((case.until(at, at + 1), String::new()));
            }
            Token::Semicolon if last => edits.push((case.span(at), String::new())),
            Token::Semicolon => {
                edits.push((case.span(at), ",".to_owned()));
                with.push((Token::Comma, case.span(at)));
            }
            token => with.push((token, case.span(at))),
        }
    }
    let texts: Vec<String> = with.iter().map(|(token, _)| token.to_string()).collect();
    let text = format!("{} {{ {} }}", case.text(&(0..open)), texts.concat().replace(',', ", "));
    let problem = case.problem(case.at..case.at + 1, Habit::ListedAction);
    with.push((Token::CloseBrace, case.span(close)));
    let problem = OtherNotation { meant: Some((text, edits)), ..problem };
    let mut cure = Cure::report(problem).put(open + 1..case.context.tokens.len(), with);
    cure.ends = true;
    Some(cure)
}

/// Where an interface ends whose actions are written as declarations.
pub(super) fn listed_end(tokens: &[Token], open: usize) -> Option<usize> {
    use Token::*;
    for (at, token) in tokens.iter().enumerate().skip(open + 1) {
        match token {
            CloseBrace => return Some(at + 1),
            Action | Name(_) | Number(_) | Comma | Semicolon | Dot | DotDot => {}
            OpenParen | CloseParen | OpenBracket | CloseBracket => {}
            _ => return None,
        }
    }
    None
}

/// `action up(n: Int)` and `action up : Int`
fn action(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    let is_interface = case.first() == Some(Token::Interface);
    match case.found()? {
        Token::Tau if case.expects("name") => return Some(silent(case)),
        Token::Action if is_interface => return listed(case),
        Token::Semicolon if is_interface && case.expects(",") && case.expects("}") => {
            return semicolons(case);
        }
        Token::Colon if case.name(at - 1).is_some() => {}
        _ => return None,
    }
    if case.expects("(") && !case.expects("..") {
        let end = case.value_end(at + 1);
        let (sort, place) = (at + 1..end, Span::new(case.span(at - 1).end, case.span(end - 1).end));
        let text = format!("({})", case.text(&sort));
        let meant = Some((format!("{}{text}", case.text(&(at - 1..at))), vec![(place, text)]));
        let problem = OtherNotation { meant, ..case.problem(at..at + 1, Habit::ActionArgument) };
        let mut with = vec![(Token::OpenParen, case.span(at))];
        with.extend(case.tokens(sort));
        with.push((Token::CloseParen, case.span(end - 1).after()));
        return Some(Cure::report(problem).put(at..end, with));
    }
    let open = (0..at).rev().find(|&one| case.token(one) == Some(Token::OpenParen))?;
    let close = case.close(open)?;
    let (mut edits, mut with) = (Vec::new(), Vec::new());
    let mut one = open + 1;
    while one < close {
        if case.name(one).is_some() && case.token(one + 1) == Some(Token::Colon) {
            edits.push((Span::new(case.span(one).start, case.span(one + 2).start), String::new()));
            one += 2;
        } else {
            with.extend(case.tokens(one..one + 1));
            one += 1;
        }
    }
    let sorts: Vec<String> = with.iter().map(|(token, _)| token.to_string()).collect();
    let text = format!("{}({})", case.text(&(open - 1..open)), sorts.concat().replace(',', ", "));
    let meant = Some((text, edits));
    let problem = OtherNotation { meant, ..case.problem(at - 1..at + 1, Habit::ActionArgument) };
    Some(Cure::report(problem).put(open + 1..close, with))
}

/// `var y = 0;` and `const M = 3;`
fn no_sort(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    let name = at.checked_sub(1)?;
    if at != 2 || case.name(name).is_none() || !case.expects(":") {
        return None;
    }
    let is_value = matches!(case.found()?, Token::Equal | Token::Assign | Token::Semicolon);
    if !is_value {
        return None;
    }
    let sort = match case.after(1) {
        Some(Token::Number(_) | Token::Minus) => Some("Int"),
        Some(Token::True | Token::False) => Some("Bool"),
        _ => None,
    };
    let problem = case.problem(name..at, Habit::NoSort);
    let Some(sort) = sort else { return Some(Cure::report(problem)) };
    let after = case.span(name).after();
    let text = format!(": {sort}");
    let meant = Some((format!("{}{text}", case.text(&(name..at))), vec![(after, text)]));
    let with = vec![
        (Token::Colon, after),
        (Token::Name(Symbol::new(sort)), after),
        (Token::Equal, case.span(at)),
    ];
    Some(Cure::report(OtherNotation { meant, ..problem }).put(at..at + 1, with))
}

/// `process A(n: Int)` and `process A[n: Int]`
fn parameters(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    if at != 2 || !matches!(case.found()?, Token::OpenParen | Token::OpenBracket) {
        return None;
    }
    let close = case.close(at)?;
    let (open, closed) = (case.span(at), case.span(close));
    // Nothing inside: no brackets at all.
    if close == at + 1 {
        let problem = case.problem(at..close + 1, Habit::Parameters);
        let gone = vec![(case.spans(&(at..close + 1)), String::new())];
        let head: Vec<String> =
            case.tokens(0..at).iter().map(|(token, _)| token.to_string()).collect();
        let meant = Some((head.join(" "), gone));
        return Some(
            Cure::report(OtherNotation { meant, ..problem }).put(at..close + 1, Vec::new()),
        );
    }
    let text = format!("<{}>", case.text(&(at + 1..close)));
    let edits = vec![(open, "<".to_owned()), (closed, ">".to_owned())];
    let problem = case.problem(at..at + 1, Habit::Parameters);
    let mut with = vec![(Token::Less, open)];
    with.extend(case.tokens(at + 1..close));
    with.push((Token::Greater, closed));
    let problem = OtherNotation { meant: Some((text, edits)), ..problem };
    Some(Cure::report(problem).put(at..close + 1, with))
}

/// `process Buffer<cap>` and `net Both(P, Q)`: what stands for a value is mostly an integer, and a hole takes anything.
fn unsorted(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    let name = at.checked_sub(1).filter(|&name| case.name(name).is_some())?;
    let ends = matches!(case.found()?, Token::Comma | Token::Greater | Token::CloseParen);
    let open = (0..name).rfind(|&at| {
        matches!(case.token(at), Some(Token::Less | Token::OpenParen | Token::Greater))
    })?;
    let (habit, sort) = match case.token(open)? {
        // `Cell<T, put: Action(T)>`: sorts have names with a capital.
        Token::Less if case.name(name).is_some_and(is_sort) => {
            (Habit::NoSort, Token::Name(Symbol::new("sort")))
        }
        Token::Less => (Habit::NoSort, Token::Name(Symbol::new("Int"))),
        Token::OpenParen => (Habit::NoHoleSort, Token::Any),
        _ => return None,
    };
    if !ends || !case.expects(":") {
        return None;
    }
    let after = case.span(name).after();
    // No back-quotes around `sort`.
    let word = sort.as_name().map_or_else(|| sort.to_string(), |name| name.to_string());
    let text = format!(": {word}");
    let meant = Some((format!("{}{text}", case.text(&(name..at))), vec![(after, text)]));
    let problem = OtherNotation { meant, ..case.problem(name..at, habit) };
    Some(Cure::report(problem).put(at..at, vec![(Token::Colon, after), (sort, after)]))
}

/// Whether a parameter has the name of a sort: `T`, `Item`, and not `MAX`.
fn is_sort(name: Symbol) -> bool {
    let name = name.as_str();
    let is_capital = name.starts_with(char::is_uppercase);
    is_capital && (name.len() == 1 || name.chars().any(char::is_lowercase))
}

/// `data List<T: sort> { … }` and `fun length<T: sort>(l: List<T>): Int`
fn sort_parameter(case: Case<'_>) -> Option<Cure> {
    let at = case.at;
    let is_it = case.found()? == Token::Colon
        && case.token(2) == Some(Token::Less)
        && case.expects(">")
        && case.before(1)?.as_name().is_some();
    if !is_it {
        return None;
    }
    let is_sort = case.after(1) == Some(Token::Sort)
        || case.name(at + 1).is_some_and(|name| name.as_str() == "sort");
    let place = at..at + 2;
    if !is_sort {
        return Some(Cure::report(case.problem(place, Habit::SortParameter)));
    }
    let problem = case.meant(place.clone(), Habit::SortParameter, place.clone(), "");
    Some(Cure::report(problem).put(place, Vec::new()))
}

/// `int y = 0;` in a process.
fn sort_first(case: Case<'_>) -> Option<Cure> {
    let ours = names_sort(case.name(0)?.as_str())?;
    let name = case.name(1).filter(|_| case.at == 1)?;
    let name = Token::Name(name);
    if !matches!(case.token(2)?, Token::Equal | Token::Semicolon | Token::Assign) {
        return None;
    }
    let text = format!("var {name}: {ours}");
    let problem = case.meant(0..1, Habit::SortFirst, 0..2, text);
    let span = case.span(0);
    let sort = Token::Name(Symbol::new(ours));
    let with = vec![(Token::Var, span), (name, case.span(1)), (Token::Colon, span), (sort, span)];
    Some(Cure::report(problem).put(0..2, with))
}
