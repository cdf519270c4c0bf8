//! The words of definitions of connectors (`connector`, `port`, `shows`, `on`, `up`, `down`), which are words nowhere else:
//! everywhere else they become names. In a definition, `[` opens a group of ports unless it stands right behind a name: `p [q r]`
//! joins `p` with a group, and `r[i]` is one port of a family.

use super::cut;
use super::token::{Lexed, Token};
use crate::diagnostics::Symbol;

/// Puts names for the words that stand in another place, and marks the brackets of groups, and the dots behind names of imports.
pub(super) fn settle(lexed: &mut Lexed) {
    dots(&mut lexed.tokens);
    let mut at = 0;
    while at < lexed.tokens.len() {
        match lexed.tokens[at] {
            Token::Connector if starts(&lexed.tokens, at) => at = definition(lexed, at),
            _ => {
                as_name(lexed, at);
                at += 1;
            }
        }
    }
}

/// Marks the dots in `connect m : L.Max(A.out, B.out)`, where `L` is what an import is called and no part is.
fn dots(tokens: &mut [Token]) {
    let aliases = aliases(tokens);
    if aliases.is_empty() {
        return;
    }
    for start in 0..tokens.len() {
        if tokens[start] != Token::Connect {
            continue;
        }
        let rest = &tokens[start..];
        let end = rest.iter().position(|token| *token == Token::Semicolon).unwrap_or(rest.len());
        let Some(colon) = rest[..end].iter().position(|token| *token == Token::Colon) else {
            continue;
        };
        if let [Token::Name(alias), Token::Dot, name, Token::OpenParen | Token::Less, ..] =
            rest[colon + 1..]
            && name.as_name().is_some()
            && aliases.contains(&alias)
        {
            tokens[start + colon + 2] = Token::ModuleDot;
        }
    }
}

/// What imports are called, where nothing else that connectors join is called so.
fn aliases(tokens: &[Token]) -> Vec<Symbol> {
    let pairs = || tokens.windows(2);
    let called = pairs().filter_map(|pair| match pair {
        [Token::As, Token::Name(alias)] => Some(*alias),
        _ => None,
    });
    let mut aliases: Vec<Symbol> = called.collect();
    aliases.retain(|alias| {
        let name = Token::Name(*alias);
        !pairs().any(|pair| pair == [Token::Sub, name] || pair == [name, Token::Colon])
    });
    aliases
}

fn is_word(token: Token) -> bool {
    use Token::*;
    matches!(token, Connector | Port | Shows | On | Up | Down)
}

fn as_name(lexed: &mut Lexed, at: usize) {
    let token = lexed.tokens[at];
    if is_word(token) {
        lexed.tokens[at] = token.as_name().map_or(token, Token::Name);
    }
}

/// Whether a definition starts here: no statement of anything else begins with two names.
fn starts(tokens: &[Token], at: usize) -> bool {
    let Some([name, then, ..]) = tokens.get(at + 1..) else { return false };
    let before = at.checked_sub(1).map(|before| tokens[before]);
    let begins =
        matches!(before, None | Some(Token::Semicolon | Token::OpenBrace | Token::CloseBrace));
    let opens = *then == Token::OpenParen && before != Some(Token::Dot);
    let operator = matches!(name, Token::Quot | Token::Rem | Token::With);
    name.as_name().is_some() && !operator && (begins || opens)
}

/// Goes through a definition; what comes after it is returned.
fn definition(lexed: &mut Lexed, start: usize) -> usize {
    let body = head(lexed, start);
    if lexed.tokens.get(body) != Some(&Token::OpenBrace) {
        return body;
    }
    let mut at = body + 1;
    while at < lexed.tokens.len() {
        match lexed.tokens[at] {
            Token::CloseBrace => return at + 1,
            token if cut::starts_item(token) && ends(&lexed.tokens, at) => return at,
            _ => at = statement(lexed, at),
        }
    }
    at
}

/// Whether something else starts at a word that starts items, although a definition was not closed.
fn ends(tokens: &[Token], at: usize) -> bool {
    tokens[at] != Token::Connector || starts(tokens, at)
}

/// What stands before the block; where that starts is returned.
fn head(lexed: &mut Lexed, start: usize) -> usize {
    let mut depth = 0usize;
    for at in start + 1..lexed.tokens.len() {
        let before = lexed.tokens[at - 1];
        match lexed.tokens[at] {
            Token::OpenParen => depth += 1,
            Token::CloseParen => depth = depth.saturating_sub(1),
            Token::OpenBrace | Token::CloseBrace | Token::Semicolon => return at,
            Token::Port if before == Token::Colon => {}
            Token::Shows if depth == 0 && before == Token::CloseParen => {}
            // Between parentheses, and behind a colon (`T: sort`), such a word starts nothing; one that can be a name is one.
            token
                if depth == 0
                    && before != Token::Colon
                    && cut::starts_item(token)
                    && token.as_name().is_none()
                    && at > start + 1 =>
            {
                return at;
            }
            _ => as_name(lexed, at),
        }
    }
    lexed.tokens.len()
}

/// Goes through a statement of a definition; what comes after it is returned.
fn statement(lexed: &mut Lexed, start: usize) -> usize {
    // For each open bracket, whether what it is repeated for is read.
    let mut brackets: Vec<bool> = Vec::new();
    let mut in_ports = true;
    let mut braces = 0usize;
    for at in start..lexed.tokens.len() {
        let before = at.checked_sub(1).map(|before| lexed.tokens[before]);
        match lexed.tokens[at] {
            // People of other languages put transfers into braces, with a `;` behind each.
            Token::Semicolon if braces == 0 => return at + 1,
            Token::OpenBrace => braces += 1,
            Token::CloseBrace if braces == 0 => return at,
            Token::CloseBrace => braces -= 1,
            Token::On | Token::Up | Token::Down if before == Some(Token::Dot) => as_name(lexed, at),
            Token::On if at > start => return at,
            Token::Up | Token::Down => in_ports = false,
            Token::On => {}
            Token::When if brackets.is_empty() => in_ports = false,
            Token::For => brackets.last_mut().into_iter().for_each(|repeated| *repeated = true),
            Token::OpenBracket => {
                if in_ports && !brackets.contains(&true) && !is_index(lexed, at) {
                    lexed.tokens[at] = Token::OpenGroup;
                }
                brackets.push(false);
            }
            Token::CloseBracket => drop(brackets.pop()),
            token if at > start && cut::starts_item(token) && ends(&lexed.tokens, at) => return at,
            _ => as_name(lexed, at),
        }
    }
    lexed.tokens.len()
}

/// Whether a bracket stands right behind a name.
fn is_index(lexed: &Lexed, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    lexed.tokens[before].as_name().is_some()
        && lexed.tokens[before] != Token::On
        && lexed.spans[before].end == lexed.spans[at].start
}
