//! Where a statement ends, found without parsing it.
//!
//! A `;` ends every statement, and the words that start items stand nowhere else. So the end can be found
//! however wrong the statement is, and what follows is parsed as if nothing had happened.

use super::habits;
use super::token::{FormulaWord, Token};

/// How a statement ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// With its `;` (or, for a list in braces, with its `}`), which is its last token.
    Proper,
    /// Something else came: the next statement, a `}` or the end of the file.
    Missing,
}

/// Whether a declaration starts with this token.
pub fn starts_item(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        Module
            | Import
            | Sort
            | Enum
            | Data
            | Fun
            | Axiom
            | Const
            | Action
            | Interface
            | Process
            | Net
            | Check
            | Relation
            | Scenario
            | Invariant
            | Reduction
            | Architecture
            | Connector
            | Formula(FormulaWord::Property)
    )
}

/// Whether a statement inside a process or a net starts with this word.
pub fn starts_inner(token: Token) -> bool {
    starts_process_statement(token)
        || matches!(token, Token::Sub | Token::Connect | Token::Priority)
}

/// Whether a statement of a process starts with this word.
pub fn starts_process_statement(token: Token) -> bool {
    matches!(token, Token::Var | Token::Init | Token::Final | Token::State)
}

/// The end of the declaration that starts at `start`, as the index after its last token.
pub fn item_end(tokens: &[Token], start: usize) -> (usize, Ending) {
    let begins = |at: usize| starts_item(tokens[at]) || starts_inner(tokens[at]);
    statement_end(tokens, start, |at| begins(at) && !wants_name(tokens[at - 1]))
}

/// The end of a statement of a block; in a relation, statements start with a parenthesis.
pub fn inner_end(tokens: &[Token], start: usize, in_relation: bool) -> (usize, Ending) {
    statement_end(tokens, start, |at| begins_inner_statement(tokens, at, in_relation))
}

/// The end of a statement of the definition of a connector.
pub fn joint_end(tokens: &[Token], start: usize) -> (usize, Ending) {
    statement_end(tokens, start, |at| {
        tokens[at] == Token::On || begins_inner_statement(tokens, at, false)
    })
}

/// The end of a statement of a rule of an architecture.
pub fn rule_statement_end(tokens: &[Token], start: usize) -> (usize, Ending) {
    // One name alone is no statement: what follows it belongs to it.
    statement_end(tokens, start, |at| {
        let follows = at == start + 1 && tokens[start].as_name().is_some();
        !follows && begins_rule_statement(tokens, at)
    })
}

/// Whether a new statement of a rule, or a rule, starts at this token although the one before has no `;`.
fn begins_rule_statement(tokens: &[Token], at: usize) -> bool {
    let (before, next) = (tokens[at - 1], tokens.get(at + 1));
    let names = next.is_some_and(|next| next.as_name().is_some());
    match tokens[at] {
        Token::Rule => true,
        token if starts_item(token) || starts_inner(token) => !wants_name(before),
        Token::Less => ends_statement(before) && names_member(&tokens[at + 1..]),
        Token::New if names => ends_statement(before),
        // `[_]V(v)` is an array.
        _ if before == Token::CloseBracket => false,
        // `a rem (b)`, `a rem f(b)`
        _ if is_infix(tokens, at) || at >= 2 && is_infix(tokens, at - 1) => false,
        Token::Never => {
            ends_statement(before) && !matches!(next, Some(Token::Dot | Token::OpenBracket))
        }
        // `-> pass Chain(x, y);`
        token if token.as_name().is_some() => {
            next == Some(&Token::OpenParen) && ends_statement(before)
        }
        _ => false,
    }
}

/// The end of a step of a scenario. What can start a step right after what can end one starts the next.
pub fn step_end(tokens: &[Token], start: usize) -> (usize, Ending) {
    // `assert n > 0;` is one step, which is written differently.
    let demands = |token: &Token| token.as_name().is_some_and(|w| habits::demands(w.as_str()));
    let is_whole = tokens.get(start).is_some_and(demands);
    let mut depth = 0usize;
    for (at, &token) in tokens.iter().enumerate().skip(start) {
        match token {
            Token::Semicolon => return (at + 1, Ending::Proper),
            Token::CloseBrace if depth == 0 => return (at, Ending::Missing),
            _ if at > start && depth == 0 && !is_whole && begins_step(tokens, at) => {
                return (at, Ending::Missing);
            }
            token if at > start && starts_item(token) => return (at, Ending::Missing),
            Token::OpenParen | Token::OpenBracket | Token::OpenGroup | Token::OpenBrace => {
                depth += 1
            }
            Token::CloseParen | Token::CloseBracket | Token::CloseBrace => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
    }
    (tokens.len(), Ending::Missing)
}

/// The end of a condition of an invariant: two operands side by side are two conditions.
pub fn condition_end(tokens: &[Token], start: usize) -> (usize, Ending) {
    let mut depth = 0usize;
    // `assert n > 0;` is one condition, which is written differently.
    let word = tokens.get(start).and_then(|first| first.as_name());
    // Whether what was read last belongs to what follows, as the bracket in `[K]V`.
    let mut prefix = word.is_some_and(|word| habits::claims(word.as_str()));
    for (at, &token) in tokens.iter().enumerate().skip(start) {
        match token {
            Token::Semicolon => return (at + 1, Ending::Proper),
            Token::CloseBrace if depth == 0 => return (at, Ending::Missing),
            _ if at > start && depth == 0 && !prefix && begins_condition(tokens, at) => {
                return (at, Ending::Missing);
            }
            token if at > start && (starts_item(token) || starts_inner(token)) => {
                return (at, Ending::Missing);
            }
            Token::OpenParen | Token::OpenBracket | Token::OpenGroup | Token::OpenBrace => {
                if depth == 0 {
                    let operand = at > start && ends_operand(tokens[at - 1]);
                    let after = operand && !is_infix(tokens, at - 1);
                    prefix = token == Token::OpenBracket && (prefix || !after);
                }
                depth += 1;
                continue;
            }
            Token::CloseParen | Token::CloseBracket | Token::CloseBrace => {
                depth = depth.saturating_sub(1);
                continue;
            }
            _ => {}
        }
        prefix &= depth > 0 || at == start;
    }
    (tokens.len(), Ending::Missing)
}

fn begins_condition(tokens: &[Token], at: usize) -> bool {
    use Token::*;
    let (before, token) = (tokens[at - 1], tokens[at]);
    let starts = match token {
        Forall | Exists | If | Match | True | False | Number(_) => true,
        // `P not in s`
        Not => tokens.get(at + 1) != Some(&In),
        // `let x = …`
        Let if matches!(tokens.get(at + 1), Some(Name(_))) => true,
        _ => token.as_name().is_some() && !is_infix(tokens, at),
    };
    let is_infix = at >= 2 && is_infix(tokens, at - 1);
    let is_let = before == Let && matches!(token, Name(_));
    starts && ends_operand(before) && !is_infix && !is_let
}

/// Whether a word that can be a name stands between two operands here: `a quot b`, `m with { … }`.
fn is_infix(tokens: &[Token], at: usize) -> bool {
    matches!(tokens[at], Token::Quot | Token::Rem | Token::With)
        && at > 0
        && (ends_operand(tokens[at - 1])
            || matches!(tokens[at - 1], Token::Tau | Token::Underscore))
}

fn ends_operand(token: Token) -> bool {
    use Token::*;
    token.as_name().is_some()
        || matches!(token, Number(_) | CloseParen | CloseBracket | CloseBrace | True | False)
}

fn begins_step(tokens: &[Token], at: usize) -> bool {
    use Token::*;
    let (before, token) = (tokens[at - 1], tokens[at]);
    let starts = token.as_name().is_some()
        || matches!(token, Tau | Sync | Co | DotDot | OpenBracket | Underscore);
    let ends = before.as_name().is_some()
        || matches!(before, CloseParen | CloseBracket | Tau | Underscore | DotDot);
    starts && ends
}

/// Whether a name is wanted after this token: a keyword there is a name that must not be one.
fn wants_name(token: Token) -> bool {
    use Token::*;
    starts_item(token)
        || matches!(token, Init | Final | State | Var | Sub | Connect | Comma | Arrow | Colon)
}

fn statement_end(
    tokens: &[Token],
    start: usize,
    begins_another: impl Fn(usize) -> bool,
) -> (usize, Ending) {
    let mut braces = 0usize;
    // Up to here, a `;` stands between the assignments of a sequence.
    let mut inside = start;
    for (at, &token) in tokens.iter().enumerate().skip(start) {
        match token {
            Token::Semicolon if at < inside => {}
            Token::Semicolon => return (at + 1, Ending::Proper),
            Token::OpenBrace => {
                braces += 1;
                if at > start && tokens[at - 1] == Token::Do {
                    inside = sequence_end(tokens, at).unwrap_or(inside);
                }
            }
            Token::CloseBrace if braces == 0 => return (at, Ending::Missing),
            Token::CloseBrace => braces -= 1,
            _ if at > start && begins_another(at) => return (at, Ending::Missing),
            _ => {}
        }
    }
    (tokens.len(), Ending::Missing)
}

/// The brace that closes `do { x := 1; y := 2 }`; none where something comes before that cannot stand in it.
fn sequence_end(tokens: &[Token], open: usize) -> Option<usize> {
    let mut braces = 0usize;
    for (at, &token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::OpenBrace => braces += 1,
            Token::CloseBrace if braces == 1 => return Some(at),
            Token::CloseBrace => braces -= 1,
            Token::Arrow | Token::Do => return None,
            _ if starts_item(token) || starts_inner(token) => return None,
            _ => {}
        }
    }
    None
}

/// The end of a declaration with a list in braces: `enum`, `data`, `interface`.
pub fn braced_end(tokens: &[Token], start: usize) -> (usize, Ending) {
    let mut braces = 0usize;
    for (at, &token) in tokens.iter().enumerate().skip(start) {
        match token {
            Token::Semicolon if braces == 0 => return (at + 1, Ending::Missing),
            Token::OpenBrace => braces += 1,
            Token::CloseBrace if braces <= 1 => return (at + 1, Ending::Proper),
            Token::CloseBrace => braces -= 1,
            token if at > start && starts_item(token) => return (at, Ending::Missing),
            _ => {}
        }
    }
    (tokens.len(), Ending::Missing)
}

/// The `{` that opens a block, if there is one: the first outside of parentheses, or, where a parenthesis is missing, the
/// first of all.
pub fn block_start(tokens: &[Token], start: usize) -> Option<usize> {
    let mut first = None;
    let mut depth = 0usize;
    // The instance after `of` can have braces in its values and its index. Inside of brackets, a `<` may compare.
    let angles =
        matches!(tokens.get(start), Some(Token::Scenario | Token::Invariant | Token::Reduction));
    // Values are not compared outside of brackets: a `<` among them stands before the sorts of a sort.
    let mut values = 0usize;
    for (at, &token) in tokens.iter().enumerate().skip(start + 1) {
        match token {
            Token::Less if angles && depth == values => (values, depth) = (values + 1, depth + 1),
            Token::Greater if values > 0 && depth == values => {
                (values, depth) = (values - 1, depth - 1);
            }
            Token::OpenBracket if angles => depth += 1,
            Token::CloseBracket if angles => depth = depth.saturating_sub(1),
            Token::OpenParen => depth += 1,
            Token::CloseParen => depth = depth.saturating_sub(1),
            Token::OpenBrace if depth == 0 => return Some(at),
            Token::OpenBrace => first = first.or(Some(at)),
            Token::CloseBrace if first.is_some() => {}
            // `let x = 1 in x` in the values of an instance.
            Token::Equal if depth > 0 || names_value(tokens, at) => {}
            Token::Semicolon | Token::CloseBrace | Token::Equal => break,
            // `T: sort` is a parameter.
            Token::Sort if tokens[at - 1] == Token::Colon => {}
            token if starts_item(token) || starts_inner(token) => break,
            _ => {}
        }
    }
    first
}

/// Whether this is the sign of `let x = …`.
fn names_value(tokens: &[Token], at: usize) -> bool {
    at >= 2 && tokens[at - 2] == Token::Let
}

/// Whether a net is defined by `=`, and not by a block.
pub fn is_alias(tokens: &[Token], start: usize) -> bool {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token {
            Token::Equal if names_value(tokens, at) => {}
            Token::OpenParen => depth += 1,
            Token::CloseParen => depth = depth.saturating_sub(1),
            Token::Equal => return true,
            Token::Semicolon => return false,
            Token::OpenBrace | Token::CloseBrace if depth == 0 => return false,
            token if starts_inner(*token) => return false,
            _ => {}
        }
    }
    false
}

/// Whether a process is defined by `=`, and so by a file, and not by a block.
pub fn is_system(tokens: &[Token], start: usize) -> bool {
    tokens.get(start + 2) == Some(&Token::Equal)
}

/// Whether a new statement starts at this token although the one before has no `;`: a word that starts
/// statements, or `s ->`, `<P:` or `(` right after what can end a statement.
fn begins_inner_statement(tokens: &[Token], at: usize, in_relation: bool) -> bool {
    let before = tokens[at - 1];
    let next = tokens.get(at + 1);
    match tokens[at] {
        token if starts_item(token) || starts_inner(token) => !wants_name(before),
        Token::Name(_) => next == Some(&Token::Arrow) && ends_statement(before),
        Token::Less => ends_statement(before) && names_member(&tokens[at + 1..]),
        Token::OpenParen => in_relation && before == Token::CloseParen,
        _ => false,
    }
}

/// Whether this is `P:` or `S[…]:`, as the members of a vector start.
pub fn names_member(tokens: &[Token]) -> bool {
    let [Token::Name(_), rest @ ..] = tokens else { return false };
    match rest.first() {
        Some(Token::Colon) => true,
        Some(Token::OpenBracket) => {
            // An index is short; further on it would be somebody else's bracket.
            let close = rest.iter().take(40).position(|token| *token == Token::CloseBracket);
            close.is_some_and(|close| rest.get(close + 1) == Some(&Token::Colon))
        }
        _ => false,
    }
}

fn ends_statement(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        Name(_)
            | Number(_)
            | CloseParen
            | CloseBracket
            | CloseBrace
            | True
            | False
            | Tau
            | Underscore
            | Quote
    )
}

/// The first bracket that is nested deeper than this.
pub fn deeper_than(tokens: &[Token], limit: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::OpenParen
            | Token::OpenBracket
            | Token::OpenGroup
            | Token::OpenRuns
            | Token::OpenBox
            | Token::OpenBrace => depth += 1,
            Token::CloseParen | Token::CloseBracket | Token::CloseBrace => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
        if depth > limit {
            return Some(at);
        }
    }
    None
}

/// A bracket of a statement that has no partner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unpaired {
    /// The token with this index opens, and nothing closes it.
    Open(usize),
    /// The token with this index closes, and nothing opened it.
    Close(usize),
}

/// The first bracket without a partner in a statement.
pub fn unpaired(tokens: &[Token]) -> Option<Unpaired> {
    let mut open: Vec<usize> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::OpenParen
            | Token::OpenBracket
            | Token::OpenGroup
            | Token::OpenRuns
            | Token::OpenBox
            | Token::OpenBrace => open.push(at),
            Token::CloseParen | Token::CloseBracket | Token::CloseBrace => match open.pop() {
                None => return Some(Unpaired::Close(at)),
                Some(opened) if partner(tokens[opened]) != Some(*token) => {
                    return Some(Unpaired::Open(opened));
                }
                Some(_) => {}
            },
            _ => {}
        }
    }
    open.pop().map(Unpaired::Open)
}

/// The closing bracket of an opening one.
pub fn partner(open: Token) -> Option<Token> {
    match open {
        Token::OpenParen => Some(Token::CloseParen),
        Token::OpenBracket | Token::OpenGroup | Token::OpenRuns | Token::OpenBox => {
            Some(Token::CloseBracket)
        }
        Token::OpenBrace => Some(Token::CloseBrace),
        _ => None,
    }
}
