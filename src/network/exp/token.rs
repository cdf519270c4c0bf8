//! Cuts the text of a network into tokens: words, texts in quotes, numbers and signs.

use super::problems::{BrokenText, ExpProblem, TextFlaw};
use crate::diagnostics::Span;

/// A token. What a word or number is, its span says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A keyword, a gate, or the name of a file, perhaps with its ending.
    Word,
    /// What stands between quotes, without its escapes.
    Quoted(Box<str>),
    /// A natural number.
    Number,
    /// A sign.
    Sign(&'static str),
    /// Behind the last one.
    End,
}

/// All signs, longer ones before those that they begin with. Some are only of forms that are not read.
const SIGNS: [&str; 25] = [
    "|||", "||", "|[", "|]", "|", "]|", "]]", "]", "[[", "[|", "[", "->", "<-", "(", ")", ",", "*",
    "_", "#", ">", "\\", "{", "}", "/", "=",
];

/// The tokens of a text that begins at an offset of all sources, with an [`Token::End`] behind them.
pub(super) fn lex(text: &str, base: u32, problems: &mut Vec<ExpProblem>) -> Vec<(Token, Span)> {
    let mut lexer = Lexer { text, at: 0, base, problems };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next() {
        tokens.push(token);
    }
    let end = base + text.len() as u32;
    tokens.push((Token::End, Span::new(end, end)));
    tokens
}

struct Lexer<'t, 'p> {
    text: &'t str,
    at: usize,
    base: u32,
    problems: &'p mut Vec<ExpProblem>,
}

impl Lexer<'_, '_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.base + from as u32, self.base + to as u32)
    }

    fn next(&mut self) -> Option<(Token, Span)> {
        loop {
            self.skip();
            let from = self.at;
            let first = self.rest().chars().next()?;
            let token = if first.is_ascii_alphabetic() {
                self.at += word(self.rest());
                Token::Word
            } else if first.is_ascii_digit() {
                self.at += self.rest().bytes().take_while(u8::is_ascii_digit).count();
                Token::Number
            } else if first == '"' {
                self.quoted()
            } else if let Some(sign) = SIGNS.into_iter().find(|sign| self.rest().starts_with(sign))
            {
                self.at += sign.len();
                Token::Sign(sign)
            } else {
                self.at += first.len_utf8();
                self.report(from, self.at, TextFlaw::Strange);
                continue;
            };
            return Some((token, self.span(from, self.at)));
        }
    }

    /// Goes past blanks and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            if blank > 0 {
                self.at += blank;
            } else if rest.starts_with("--") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("(*") {
                match rest.get(2..).and_then(|inside| inside.find("*)")) {
                    Some(length) => self.at += length + 4,
                    None => {
                        self.report(self.at, self.at + 2, TextFlaw::OpenComment);
                        self.at = self.text.len();
                    }
                }
            } else {
                return;
            }
        }
    }

    /// A text in quotes. Where they are not closed, it ends with its line.
    fn quoted(&mut self) -> Token {
        let from = self.at;
        let (decoded, length, is_closed) = decode(self.rest().get(1..).unwrap_or(""));
        self.at += 1 + length;
        if !is_closed {
            self.report(from, self.at, TextFlaw::OpenQuotes);
        }
        Token::Quoted(decoded.into())
    }

    fn report(&mut self, from: usize, to: usize, flaw: TextFlaw) {
        let span = self.span(from, to);
        self.problems.push(BrokenText { span, flaw }.into());
    }
}

/// How long the word is that a text begins with: an identifier, with endings as files have them.
fn word(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_part =
        |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let mut at = 0;
    loop {
        while is_part(at) {
            at += 1;
        }
        if bytes.get(at) != Some(&b'.') || !is_part(at + 1) {
            return at;
        }
        at += 1;
    }
}

/// What an escape stands for, as in C; what is none keeps its backslash.
fn escaped(after: char) -> Option<char> {
    match after {
        '"' | '\\' | '\'' | '?' => Some(after),
        'a' => Some('\x07'),
        'b' => Some('\x08'),
        'f' => Some('\x0c'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'v' => Some('\x0b'),
        _ => None,
    }
}

/// What stands up to the closing quotes, how long that is with them, and whether they are there.
fn decode(text: &str) -> (String, usize, bool) {
    let mut decoded = String::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, found)) = chars.next() {
        match found {
            '"' => return (decoded, at + 1, true),
            '\n' => return (decoded, at, false),
            '\\' => match chars.peek().and_then(|(_, after)| escaped(*after)) {
                Some(meant) => {
                    decoded.push(meant);
                    chars.next();
                }
                None => decoded.push('\\'),
            },
            other => decoded.push(other),
        }
    }
    (decoded, text.len(), false)
}

/// Where a place in what was decoded stands in the text between the quotes.
pub(super) fn undecoded(quoted: &str, place: usize) -> usize {
    let (mut length, mut chars) = (0, quoted.char_indices().peekable());
    while let Some((at, found)) = chars.next() {
        if length >= place {
            return at;
        }
        let after = chars.peek().map(|(_, after)| *after);
        match after.filter(|_| found == '\\').and_then(escaped) {
            Some(meant) => {
                length += meant.len_utf8();
                chars.next();
            }
            None => length += found.len_utf8(),
        }
    }
    quoted.len()
}
