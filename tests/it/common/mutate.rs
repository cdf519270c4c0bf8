//! Inputs that are wrong: bytes and tokens as they come, and models with a few mistakes in them.

use std::sync::OnceLock;

use pnetc::syntax::token::{CONTEXTUAL, KEYWORDS, lex};

use super::{Random, syntactic, valid};

const SIGNS: &[&str] = &[
    ";", ",", ":", ".", " . ", "..", ":=", "=", "==", "!=", "<", "<=", ">", ">=", "=>", "->", "+",
    "-", "*", "?", "'", "_", "(", ")", "[", "]", "{", "}", "&&", "||", "!", "/", "%", "&", "|",
    "#", "@", "$", "~", "^", "\\",
];

const PIECES: &[&str] = &[
    "x",
    "P",
    "delta",
    "größe",
    "`in`",
    "`",
    "``",
    "`a b`",
    "\"./a.pnet\"",
    "\"",
    "1",
    "0",
    "12ab",
    "1_000",
    "99999999999999999999999",
    "/*",
    "*/",
    "/* c */",
    "// c\n",
    "/// doc\n",
    "\n",
    "\r\n",
    "\u{FEFF}",
    "\0",
    "é",
    "\u{2028}",
    "🙂",
    "s -> t : a",
    "<P: ?a> -> a",
    "when",
    "init state s;",
    "std.lotos",
    "Int",
    "Bool",
    "Action",
    "actions",
    "ä̈",
    "\u{202E}",
];

const CHARACTERS: &[char] = &[
    '\0',
    '\u{FEFF}',
    '\u{2028}',
    'é',
    '🙂',
    '`',
    '"',
    '\'',
    '/',
    '*',
    '\r',
    '\n',
    '\t',
    '{',
    '}',
    '(',
    ')',
    ';',
    '<',
    '>',
    '.',
    '_',
    '0',
    'a',
    '\u{301}',
    '\u{10FFFF}',
    '\\',
    '²',
    '١',
    '０',
];

/// A random token, or what looks like one.
fn token(random: &mut Random) -> &'static str {
    match random.below(10) {
        0..=3 => random.pick(KEYWORDS).0,
        4..=6 => *random.pick(SIGNS),
        7 => random.pick(CONTEXTUAL).0,
        _ => *random.pick(PIECES),
    }
}

/// Bytes as they come, or mostly letters and signs.
pub fn bytes(random: &mut Random) -> Vec<u8> {
    let most = *random.pick(&[10, 100, 2_000]);
    let length = random.below(most);
    let ascii = random.one_in(2);
    (0..length)
        .map(|_| match random.next() as u8 {
            byte if ascii => 32 + byte % 95,
            byte => byte,
        })
        .collect()
}

/// Tokens as they come.
pub fn soup(random: &mut Random) -> String {
    let mut text = String::new();
    let most = *random.pick(&[10, 100, 1_000]);
    for _ in 0..random.below(most) {
        text.push_str(token(random));
        let gap = *random.pick(&[" ", " ", " ", "\n", ""]);
        text.push_str(gap);
    }
    text
}

/// A model: one of the project, or one that a generator makes.
pub fn model(random: &mut Random) -> String {
    static MODELS: OnceLock<Vec<(String, String)>> = OnceLock::new();
    match random.below(4) {
        0 | 1 => random.pick(MODELS.get_or_init(super::models)).1.clone(),
        2 => syntactic::program(random),
        _ => {
            let lines = random.between(5, 120);
            valid::valid_program(random, lines)
        }
    }
}

/// A model with a few mistakes in it.
pub fn mutated(random: &mut Random) -> String {
    let mut text = model(random);
    for _ in 0..*random.pick(&[1, 1, 2, 3, 5, 12]) {
        mutate(random, &mut text);
    }
    text
}

/// A place between two characters.
fn place(random: &mut Random, text: &str) -> usize {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn mutate(random: &mut Random, text: &mut String) {
    match random.below(12) {
        0..=5 => mutate_tokens(random, text),
        6 | 7 => mutate_lines(random, text),
        8 | 9 => {
            let at = place(random, text);
            if random.one_in(2) {
                text.insert(at, *random.pick(CHARACTERS));
            } else if at < text.len() {
                text.remove(at);
            }
        }
        10 => {
            // Cut it anywhere.
            let at = place(random, text);
            if random.one_in(2) {
                text.truncate(at);
            } else {
                text.drain(..at);
            }
        }
        _ => {
            // The start of this, the end of another.
            let at = place(random, text);
            text.truncate(at);
            let other = model(random);
            let from = place(random, &other);
            text.push_str(&other[from..]);
        }
    }
}

fn mutate_tokens(random: &mut Random, text: &mut String) {
    let (lexed, _) = lex(text, 0);
    if lexed.spans.is_empty() {
        return;
    }
    let range = |span: pnetc::diagnostics::Span| span.start as usize..span.end as usize;
    let one = range(*random.pick(&lexed.spans));
    let two = range(*random.pick(&lexed.spans));
    match random.below(5) {
        0 => text.replace_range(one, ""),
        1 => {
            let copy = format!(" {}", &text[one.clone()]);
            text.insert_str(one.end, &copy);
        }
        2 if one.end <= two.start => {
            let (a, b) = (text[one.clone()].to_owned(), text[two.clone()].to_owned());
            text.replace_range(two, &a);
            text.replace_range(one, &b);
        }
        3 => text.insert_str(one.start, &format!("{} ", token(random))),
        _ => text.replace_range(one, token(random)),
    }
}

fn mutate_lines(random: &mut Random, text: &mut String) {
    let mut lines: Vec<&str> = text.split('\n').collect();
    let (one, two) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(3) {
        0 => {
            lines.remove(one);
        }
        1 => lines.insert(two, lines[one]),
        _ => lines.swap(one, two),
    }
    *text = lines.join("\n");
}
