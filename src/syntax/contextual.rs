//! The words `scenario` and `of`, which start and join only in one place each: everywhere else they become names, before
//! the text is cut into statements, which would start new ones at them.

use super::token::Token;
use crate::diagnostics::Symbol;

/// Puts names for the words that stand in another place.
pub(super) fn settle(tokens: &mut [Token]) {
    let mut joins: Option<usize> = None;
    for at in 0..tokens.len() {
        match tokens[at] {
            Token::Scenario if starts_scenario(tokens, at) => joins = Some(joint(tokens, at)),
            Token::Scenario => tokens[at] = Token::Name(Symbol::new("scenario")),
            Token::Of if joins == Some(at) => {}
            Token::Of => tokens[at] = Token::Name(Symbol::new("of")),
            _ => {}
        }
    }
}

/// A scenario starts here after all: its `of` is the word, and no name.
pub(super) fn start_scenario(tokens: &mut [Token], at: usize) {
    tokens[at] = Token::Scenario;
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
    let before = at.checked_sub(1).map(|before| tokens[before]);
    let begins =
        matches!(before, None | Some(Token::Semicolon | Token::OpenBrace | Token::CloseBrace));
    let joint = joint(tokens, at);
    let joins = tokens.get(joint) == Some(&Token::Of);
    let named = |token: &Token| matches!(token, Token::Text(_)) || token.as_name().is_some();
    (begins || joins) && tokens.get(joint - 1).is_some_and(named)
}

/// Where `of` stands in a scenario that starts here: after `not`, if there is one, and the name.
fn joint(tokens: &[Token], start: usize) -> usize {
    start + 2 + usize::from(tokens.get(start + 1) == Some(&Token::Not))
}
