//! The text of a node, line by line.

use indexmap::IndexMap;

use super::super::comments::{Comments, Remark};
use super::super::problems::{
    ImportFlaw, MemberOfFamily, NoRange, UnexpectedText, UnreadableText, WrongSlots,
};
use super::super::text::Texts;
use crate::diagnostics::{Span, closest};

/// A word, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub text: String,
    pub span: Span,
}

/// An entry of the structure.
#[derive(Clone, Debug)]
pub(super) struct SpecEntry {
    pub name: Word,
    /// What stands in brackets behind it: parameters of the component, which mean nothing for the node.
    pub values: Vec<Word>,
    /// The parameter that it is a family over.
    pub index: Option<Word>,
}

/// An action with its values, and the member that does it.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub action: Word,
    pub values: Vec<Word>,
    pub member: Option<Word>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct SpecVector {
    /// What each entry does, if it moves.
    pub slots: Vec<Option<Slot>>,
    pub result: Slot,
    pub span: Span,
}

/// A whole node.
#[derive(Debug)]
pub(super) struct SpecNode {
    /// The first and the last value of each parameter.
    pub ranges: IndexMap<String, (i64, i64)>,
    pub entries: Vec<SpecEntry>,
    pub vectors: Vec<SpecVector>,
    pub comments: Comments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    Word,
    Number,
    Sign(&'static str),
    End,
}

const SIGNS: [&str; 12] = ["=>", "..", "<", ">", "(", ")", "[", "]", ",", "&", ":", "-"];

/// The node of a text, unless something is wrong with it.
pub(super) fn parse(text: &str, base: u32, texts: &mut Texts<'_>) -> Option<SpecNode> {
    let before = texts.diagnostics.len();
    let (tokens, remarks) = lex(text, base, texts);
    let mut parser = Parser { text, base, tokens, at: 0, texts };
    let node = parser.node(Comments::new(remarks));
    let node = node.filter(|_| texts.diagnostics.len() == before)?;
    check(&node, texts);
    (texts.diagnostics.len() == before).then_some(node)
}

fn lex(text: &str, base: u32, texts: &mut Texts<'_>) -> (Vec<(Token, Span)>, Vec<Remark>) {
    let (mut tokens, mut remarks) = (Vec::new(), Vec::new());
    let place = |from: usize, to: usize| Span::new(base + from as u32, base + to as u32);
    let mut at = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or("");
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let word = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (token, length) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("--") {
            let line = rest.find(['\r', '\n']).unwrap_or(rest.len());
            let text = rest.get(..line).unwrap_or("").trim_start_matches('-');
            remarks.push(Remark::new(place(at, at + line), text));
            at += line;
            continue;
        } else if first.is_ascii_digit() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            (Token::Number, digits)
        } else if is_part(first) {
            (Token::Word, word)
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            (Token::Sign(sign), sign.len())
        } else {
            let end = at + first.len_utf8();
            texts.report(UnreadableText { span: place(at, end), flaw: ImportFlaw::Strange });
            at = end;
            continue;
        };
        tokens.push((token, place(at, at + length)));
        at += length;
    }
    tokens.push((Token::End, place(text.len(), text.len())));
    (tokens, remarks)
}

struct Parser<'t, 'x, 'f> {
    text: &'t str,
    base: u32,
    tokens: Vec<(Token, Span)>,
    at: usize,
    texts: &'x mut Texts<'f>,
}

impl Parser<'_, '_, '_> {
    fn ahead(&self, by: usize) -> (Token, Span) {
        let last = self.tokens.len().saturating_sub(1);
        self.tokens.get((self.at + by).min(last)).copied().unwrap_or((Token::End, Span::default()))
    }

    fn now(&self) -> Token {
        self.ahead(0).0
    }

    fn text(&self, span: Span) -> &str {
        let range = (span.start - self.base) as usize..(span.end - self.base) as usize;
        self.text.get(range).unwrap_or("")
    }

    fn is_word(&self, word: &str) -> bool {
        self.now() == Token::Word && self.text(self.ahead(0).1) == word
    }

    fn accept(&mut self, sign: &'static str) -> bool {
        let is = self.now() == Token::Sign(sign);
        self.at += usize::from(is);
        is
    }

    fn misfit<T>(&mut self, expected: &'static str) -> Option<T> {
        let span = self.ahead(0).1;
        let found = self.text(span).to_owned();
        self.texts.report(UnexpectedText { span, found, expected });
        None
    }

    fn sign(&mut self, sign: &'static str, told: &'static str) -> Option<()> {
        match self.accept(sign) {
            true => Some(()),
            false => self.misfit(told),
        }
    }

    fn word(&mut self, told: &'static str) -> Option<Word> {
        let (token, span) = self.ahead(0);
        if token != Token::Word {
            return self.misfit(told);
        }
        self.at += 1;
        Some(Word { text: self.text(span).to_owned(), span })
    }

    /// A parameter, or a number.
    fn value(&mut self) -> Option<Word> {
        let from = self.ahead(0).1;
        let is_negative = self.now() == Token::Sign("-");
        self.at += usize::from(is_negative);
        match self.now() {
            Token::Number => {
                let span = from.to(self.ahead(0).1);
                let text: String = self.text(span).split_whitespace().collect();
                let is_small = text.parse::<i64>().is_ok_and(|number| number.abs() < 1 << 40);
                if !is_small {
                    return self.misfit("a number that is not so large");
                }
                self.at += 1;
                Some(Word { text, span })
            }
            _ if is_negative => self.misfit("a number"),
            _ => self.word("a parameter or a number"),
        }
    }

    fn values(&mut self) -> Option<Vec<Word>> {
        let mut values = Vec::new();
        if !self.accept("(") {
            return Some(values);
        }
        if self.accept(")") {
            return Some(values);
        }
        loop {
            values.push(self.value()?);
            if !self.accept(",") {
                break;
            }
        }
        self.sign(")", "`,` or `)`")?;
        Some(values)
    }

    fn number(&mut self) -> Option<i64> {
        if self.now() == Token::Word {
            return self.misfit("a number");
        }
        self.value()?.text.parse().ok()
    }

    fn node(&mut self, comments: Comments) -> Option<SpecNode> {
        if !self.is_word("Structure") {
            return self.misfit("`Structure`");
        }
        self.at += 1;
        let mut ranges = IndexMap::new();
        while self.now() == Token::Word {
            let name = self.word("a parameter")?;
            self.sign(":", "`:` and a range")?;
            let first = self.number()?;
            self.sign("..", "`..`")?;
            let last = self.number()?;
            if last < first {
                let (span, is_empty) = (name.span, true);
                let name = name.text.clone();
                self.texts.report(NoRange { span, name, is_empty, near: None });
            }
            ranges.insert(name.text, (first, last));
        }
        let entries = self.entries()?;
        if !self.is_word("Vectors") {
            return self.misfit("`Vectors`");
        }
        self.at += 1;
        let mut vectors = Vec::new();
        while self.now() != Token::End {
            match self.vector() {
                Some(vector) => vectors.push(vector),
                None => self.skip(),
            }
        }
        Some(SpecNode { ranges, entries, vectors, comments })
    }

    /// Goes on at the next vector.
    fn skip(&mut self) {
        self.at += usize::from(self.now() != Token::End);
        while !matches!(self.now(), Token::End | Token::Sign("<")) {
            self.at += 1;
        }
    }

    fn entries(&mut self) -> Option<Vec<SpecEntry>> {
        self.sign("<", "`<` and the entries, or a range such as `i:0..2`,")?;
        let mut entries = Vec::new();
        loop {
            let name = self.word("an entry")?;
            let values = self.values()?;
            let mut index = None;
            if self.accept("[") {
                index = Some(self.word("a parameter")?);
                self.sign("]", "`]`")?;
            }
            entries.push(SpecEntry { name, values, index });
            if !self.accept(",") {
                break;
            }
        }
        self.sign(">", "`,` or `>`")?;
        Some(entries)
    }

    fn vector(&mut self) -> Option<SpecVector> {
        let from = self.ahead(0).1;
        self.sign("<", "a vector")?;
        let mut slots = Vec::new();
        while self.now() == Token::Word {
            match self.is_word("_") {
                true => {
                    self.at += 1;
                    slots.push(None);
                }
                false => slots.push(Some(self.slot()?)),
            }
        }
        let span = from.to(self.ahead(0).1);
        if slots.iter().all(Option::is_none) {
            return self.misfit("an action of some entry");
        }
        self.sign(">", "an action, `_` or `>`")?;
        self.sign("=>", "`=>` and what is seen")?;
        let result = self.slot()?;
        if let Some(member) = &result.member {
            self.texts.report(UnexpectedText {
                span: member.span,
                found: member.text.clone(),
                expected: "no member, since nobody does what is seen,",
            });
        }
        Some(SpecVector { slots, result, span })
    }

    fn slot(&mut self) -> Option<Slot> {
        let action = self.word("an action")?;
        let values = self.values()?;
        let member = match self.accept("&") {
            true => Some(self.value()?),
            false => None,
        };
        let last =
            self.tokens.get(self.at.saturating_sub(1)).map_or(action.span, |(_, span)| *span);
        let span = action.span.to(last);
        Some(Slot { action, values, member, span })
    }
}

/// Whether a word is a number.
pub(super) fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || c == '-')
}

/// Looks whether vectors fit the entries, and all parameters have ranges.
fn check(node: &SpecNode, texts: &mut Texts<'_>) {
    let known = |word: &Word, texts: &mut Texts<'_>| {
        if !is_number(&word.text) && !node.ranges.contains_key(&word.text) {
            let near = closest(&word.text, node.ranges.keys().map(String::as_str));
            let (near, name) = (near.map(str::to_owned), word.text.clone());
            texts.report(NoRange { span: word.span, name, is_empty: false, near });
        }
    };
    let first = node.entries.first().map(|entry| entry.name.span).unwrap_or_default();
    let structure = node.entries.iter().fold(first, |span, entry| span.to(entry.name.span));
    node.entries
        .iter()
        .filter_map(|entry| entry.index.as_ref())
        .for_each(|word| known(word, texts));
    for vector in &node.vectors {
        let (slots, entries) = (vector.slots.len(), node.entries.len());
        if slots != entries {
            texts.report(WrongSlots { span: vector.span, slots, entries, structure });
            continue;
        }
        for (slot, entry) in vector.slots.iter().zip(&node.entries) {
            let Some(slot) = slot else { continue };
            slot.values.iter().chain(&slot.member).for_each(|word| known(word, texts));
            if slot.member.is_some() != entry.index.is_some() {
                texts.report(MemberOfFamily {
                    span: slot.span,
                    entry: entry.name.text.clone(),
                    declared: entry.name.span,
                    is_family: entry.index.is_some(),
                });
            }
        }
        vector.result.values.iter().for_each(|word| known(word, texts));
    }
}
