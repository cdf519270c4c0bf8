//! Words that start statements, and `in`, used as names: they are found before the text is cut into statements, which would
//! start new ones at them. Where what stands around such a word tells that it is a name, it is one.

use super::cut;
use super::token::{Lexed, Token};
use crate::diagnostics::Symbol;

/// Puts names for such words.
pub(super) fn as_names(lexed: &mut Lexed) {
    for at in 0..lexed.tokens.len() {
        let token = lexed.tokens[at];
        let is_name = match token {
            Token::In => is_action(&lexed.tokens, at),
            _ => {
                (cut::starts_item(token) || cut::starts_inner(token)) && is_name(&lexed.tokens, at)
            }
        };
        if is_name && let Some(word) = token.spelling() {
            lexed.tokens[at] = Token::Name(Symbol::new(word));
        }
    }
}

/// Whether `in` stands where only an action or a port can.
fn is_action(tokens: &[Token], at: usize) -> bool {
    use Token::*;
    let before = at.checked_sub(1).map(|before| tokens[before]);
    let next = tokens.get(at + 1);
    match before {
        Some(Dot) => true,
        Some(
            Action | Comma | Colon | Arrow | OpenBrace | Connect | Priority | Less | Sync | Co,
        ) => {
            matches!(
                next,
                Some(
                    Comma
                        | Semicolon
                        | OpenParen
                        | CloseBrace
                        | Greater
                        | Less
                        | When
                        | Do
                        | For
                        | Unless
                        | Colon
                )
            )
        }
        _ => false,
    }
}

/// Whether no statement can start at this word, because of what stands around it.
fn is_name(tokens: &[Token], at: usize) -> bool {
    use Token::*;
    let Some(&next) = tokens.get(at + 1) else { return false };
    let before = at.checked_sub(1).map(|before| tokens[before]);
    if next == Colon {
        return true;
    }
    let Some(before) = before else { return false };
    // `A.data`, and `{ data, init }` as a set or an interface.
    if before == Dot || before == OpenBrace && matches!(next, Comma | CloseBrace | OpenParen) {
        return true;
    }
    if next == Arrow {
        return matches!(before, Semicolon | OpenBrace | CloseBrace);
    }
    let declared = cut::starts_item(before) && !matches!(before, Check | Axiom | Import)
        || matches!(before, State | Var | Sub | Connect);
    if declared {
        return matches!(
            next,
            Comma | Semicolon | OpenParen | OpenBrace | Less | Equal | OpenBracket
        );
    }
    // A `>` may end a list of values, after which a statement starts.
    let compared =
        before == Greater && !matches!(next, Comma | Semicolon | Less | OpenParen | OpenBracket);
    (wants_operand(before) || compared) && follows_operand(next)
}

/// Whether something has to follow this token inside the same statement.
fn wants_operand(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        OpenParen
            | OpenBracket
            | Comma
            | Colon
            | Arrow
            | Assign
            | Equal
            | EqualEqual
            | NotEqual
            | Less
            | LessEqual
            | GreaterEqual
            | Implies
            | Plus
            | Minus
            | Star
            | Div
            | Mod
            | Quot
            | Rem
            | And
            | Or
            | Not
            | When
            | Do
            | Question
            | Priority
            | Sync
            | Co
            | Is
            | In
            | Then
            | Else
            | If
    )
}

/// Whether this can stand after a name inside a statement, and starts none.
fn follows_operand(token: Token) -> bool {
    use Token::*;
    matches!(
        token,
        CloseParen
            | CloseBracket
            | CloseBrace
            | Comma
            | Semicolon
            | Greater
            | Less
            | LessEqual
            | GreaterEqual
            | EqualEqual
            | NotEqual
            | Implies
            | Plus
            | Minus
            | Star
            | Div
            | Mod
            | Quot
            | Rem
            | With
            | And
            | Or
            | Is
            | Assign
            | PlusAssign
            | MinusAssign
            | OpenParen
            | OpenBracket
            | When
            | Do
            | For
            | Then
            | Else
    )
}
