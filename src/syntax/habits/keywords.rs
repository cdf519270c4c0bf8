//! Words that start statements, used as names: they are found before the text is cut into statements, which would
//! start new ones at them.

use rustc_hash::FxHashMap;

use crate::diagnostics::Symbol;
use crate::syntax::cut;
use crate::syntax::problems::KeywordAsName;
use crate::syntax::token::{Lexed, Token};

/// Puts names for such words, and reports each word once.
pub(in crate::syntax) fn as_names(lexed: &mut Lexed) -> Vec<KeywordAsName> {
    let mut problems: Vec<KeywordAsName> = Vec::new();
    let mut known: FxHashMap<&'static str, usize> = FxHashMap::default();
    for at in 0..lexed.tokens.len() {
        let token = lexed.tokens[at];
        if !(cut::starts_item(token) || cut::starts_inner(token)) || !is_name(&lexed.tokens, at) {
            continue;
        }
        let (Some(word), span) = (token.spelling(), lexed.spans[at]) else { continue };
        lexed.tokens[at] = Token::Name(Symbol::new(word));
        match known.get(word) {
            Some(&first) => problems[first].uses.push(span),
            None => {
                known.insert(word, problems.len());
                problems.push(KeywordAsName { span, word: word.to_owned(), uses: Vec::new() });
            }
        }
    }
    problems
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
    wants_operand(before) && follows_operand(next)
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
            | And
            | Or
            | Not
            | When
            | Do
            | Question
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
            | And
            | Or
            | Is
            | Assign
            | OpenParen
            | OpenBracket
            | When
            | Do
            | For
            | Then
            | Else
    )
}
