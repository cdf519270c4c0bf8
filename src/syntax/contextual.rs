//! The words `scenario`, `invariant`, `reduction`, `of`, `architecture` and `rule`, which start and join only in one place each:
//! everywhere else they become names, before the text is cut into statements, which would start new ones at them.

use super::token::Token;

/// Puts names for the words that stand in another place.
pub(super) fn settle(tokens: &mut [Token]) {
    let mut joins: Option<usize> = None;
    for at in 0..tokens.len() {
        match tokens[at] {
            Token::Of if joins == Some(at) => {}
            // What stands between the word and `of` is the name.
            Token::Scenario | Token::Invariant | Token::Reduction
                if joins.is_some_and(|joint| at < joint) =>
            {
                tokens[at] = tokens[at].as_name().map_or(tokens[at], Token::Name);
            }
            Token::Scenario if starts_scenario(tokens, at) => joins = Some(joint(tokens, at)),
            Token::Invariant | Token::Reduction if starts_invariant(tokens, at) => {
                joins = Some(behind_values(tokens, joint(tokens, at)));
            }
            Token::Architecture if starts_architecture(tokens, at) => {}
            Token::Rule if starts_rule(tokens, at) => {}
            Token::Process | Token::Net if begins(tokens, at) => mark_actions(tokens, at),
            // Others have become names.
            Token::Connector => mark_actions(tokens, at),
            word @ (Token::Architecture
            | Token::Rule
            | Token::Scenario
            | Token::Invariant
            | Token::Reduction
            | Token::Of) => {
                tokens[at] = word.as_name().map_or(word, Token::Name);
            }
            _ => {}
        }
    }
}

/// Marks `Action(…)` among the parameters of a process, net or connector.
fn mark_actions(tokens: &mut [Token], start: usize) {
    if tokens.get(start + 2) != Some(&Token::Less) {
        return;
    }
    let mut open = 0_usize;
    for at in start + 3..tokens.len() {
        match tokens[at] {
            Token::Semicolon | Token::OpenBrace => return,
            // `(let x = 1 in x)` is a value.
            Token::Equal if open == 0 => return,
            Token::OpenParen | Token::OpenBracket => open += 1,
            Token::CloseParen | Token::CloseBracket => open = open.saturating_sub(1),
            Token::Name(name)
                if name.as_str() == "Action"
                    && tokens[at - 1] == Token::Colon
                    && tokens.get(at + 1) == Some(&Token::OpenParen) =>
            {
                tokens[at] = Token::ActionOf;
            }
            _ => {}
        }
    }
}

/// Whether an architecture starts here: no statement begins with two names, and nowhere do two names and a block follow
/// each other, but for `by R tracking { P }`.
fn starts_architecture(tokens: &[Token], at: usize) -> bool {
    let Some([name, then, ..]) = tokens.get(at + 1..) else { return false };
    let before = at.checked_sub(1).map(|before| tokens[before]);
    let block = *then == Token::OpenBrace && !matches!(before, Some(Token::By | Token::Dot));
    // `architecture with { n := 1 }`: one that is called so takes back-quotes.
    name.as_name().is_some() && !is_operator(Some(name)) && (begins(tokens, at) || block)
}

/// Whether a rule starts here: two names, and parameters.
fn starts_rule(tokens: &[Token], at: usize) -> bool {
    let Some([name, then, ..]) = tokens.get(at + 1..) else { return false };
    let before = at.checked_sub(1).map(|before| tokens[before]);
    let params =
        *then == Token::OpenParen && before != Some(Token::Dot) && !is_operator(Some(name));
    name.as_name().is_some() && (begins(tokens, at) || params)
}

/// What a word starts that was put here, starts after all: its `of` is the word, and no name.
pub(super) fn start(tokens: &mut [Token], at: usize) {
    let joint = joint(tokens, at);
    if tokens.get(joint).is_some_and(|&token| is_of(token)) {
        tokens[joint] = Token::Of;
    }
}

fn is_of(token: Token) -> bool {
    token.as_name().is_some_and(|name| name.as_str() == "of")
}

/// Whether a scenario starts here: no statement begins with two names, or a name and a text or `not`; and nowhere do
/// three names follow each other.
fn starts_scenario(tokens: &[Token], at: usize) -> bool {
    let joint = joint(tokens, at);
    let joins = tokens.get(joint) == Some(&Token::Of);
    let named = |token: &Token| matches!(token, Token::Text(_)) || token.as_name().is_some();
    let starts = match is_operator(tokens.get(at + 1)) {
        true => begins(tokens, at) && joins,
        false => begins(tokens, at) || joins,
    };
    starts && tokens.get(joint - 1).is_some_and(named)
}

/// Whether an invariant starts here, or a reduction. In other languages, `invariant x < 3;` is a statement: so there must be an `of`, or
/// another word for it and a block.
fn starts_invariant(tokens: &[Token], at: usize) -> bool {
    let Some([name, then, ..]) = tokens.get(at + 1..) else { return false };
    let others = matches!(then, Token::OpenParen | Token::For | Token::Colon | Token::OpenBrace)
        || then.as_name().is_some();
    let ends = |token: &&Token| matches!(token, Token::Semicolon | Token::OpenBrace);
    let has_block = || tokens[at + 2..].iter().find(ends) == Some(&Token::OpenBrace);
    let joint = behind_values(tokens, at + 2);
    let joins =
        tokens.get(joint) == Some(&Token::Of) || begins(tokens, at) && others && has_block();
    let operand = is_operator(Some(name)) && !begins(tokens, at);
    name.as_name().is_some() && joins && !operand
}

/// Whether a word is an operator after an operand, as in `scenario rem of`.
fn is_operator(word: Option<&Token>) -> bool {
    matches!(word, Some(Token::Quot | Token::Rem | Token::With))
}

/// Where `of` stands behind parameters, which an invariant has not, and some people give it.
fn behind_values(tokens: &[Token], at: usize) -> usize {
    if tokens.get(at) != Some(&Token::Less) {
        return at;
    }
    let ends = |token: &Token| {
        matches!(token, Token::Greater | Token::Semicolon | Token::OpenBrace | Token::CloseBrace)
    };
    let end = tokens[at..].iter().position(ends).map(|end| at + end);
    let closed = end.filter(|&end| tokens[end] == Token::Greater).map(|end| end + 1);
    closed.filter(|&joint| tokens.get(joint) == Some(&Token::Of)).unwrap_or(at)
}

/// Whether a statement or an item begins here.
fn begins(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| tokens[before]);
    matches!(before, None | Some(Token::Semicolon | Token::OpenBrace | Token::CloseBrace))
}

/// Where `of` stands in what starts here: after `not`, if there is one, and the name.
fn joint(tokens: &[Token], start: usize) -> usize {
    start + 2 + usize::from(tokens.get(start + 1) == Some(&Token::Not))
}
