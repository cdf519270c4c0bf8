//! What texts are made of, character by character: names, numbers and comments.

use super::token::{CONTEXTUAL, KEYWORDS};
use crate::diagnostics::Symbol;

/// A number without its separators and leading zeros.
pub(super) fn number(text: &str) -> Symbol {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let trimmed = digits.trim_start_matches('0');
    Symbol::new(if trimmed.is_empty() { "0" } else { trimmed })
}

/// Whether a text can be a name.
pub fn is_name(text: &str) -> bool {
    let starts = text.chars().next().is_some_and(|c| c == '_' || unicode_ident::is_xid_start(c));
    let plain = |c: char| c == '_' || unicode_ident::is_xid_continue(c);
    starts && text != "_" && text.chars().all(plain)
}

/// Whether a text can be a name between back-quotes: anything on one line but what paths, indices and instances are written with,
/// and control characters.
pub fn is_quotable(text: &str) -> bool {
    let is_strange = |c: char| c.is_control() || matches!(c, '`' | '.' | '[' | ']' | '<' | '>');
    !text.is_empty() && text != "_" && text.trim() == text && !text.contains(is_strange)
}

/// Where the first character stands that cannot be part of a name (or cannot start one).
pub(super) fn first_stranger(word: &str) -> Option<usize> {
    if word.is_ascii() {
        return None;
    }
    word.char_indices()
        .find(|&(at, c)| match at {
            0 => c != '_' && !unicode_ident::is_xid_start(c),
            _ => !unicode_ident::is_xid_continue(c),
        })
        .map(|(at, _)| at)
}

/// Whether a line begins with two words that no operator joins: no expression does.
pub(super) fn is_prose(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let mut words = line.split_whitespace();
    let is_word =
        |word: &str| word.chars().all(|c| c.is_alphabetic() || matches!(c, '.' | ',' | ':'));
    let (Some(first), Some(second)) = (words.next(), words.next()) else { return false };
    let joins = KEYWORDS
        .iter()
        .chain(CONTEXTUAL)
        .any(|(keyword, _)| *keyword == second || *keyword == first);
    is_word(first) && is_word(second) && !joins
}

/// The length of the block comment that `text` starts with; comments nest.
pub(super) fn block_comment(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => {
                depth += 1;
                at += 2;
            }
            b"*/" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
    None
}
