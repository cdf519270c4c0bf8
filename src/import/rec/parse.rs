//! The text of rules, as a tree. A mistake costs the rules of one name, up to the next `;`.

use super::super::comments::{Comments, Remark};
use super::super::problems::{ImportFlaw, UnexpectedText, UnreadableText};
use super::super::text::Texts;
use crate::diagnostics::Span;

/// A name, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub text: String,
    pub span: Span,
}

/// Names in two groups, with `/` between them.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    pub first: Vec<Word>,
    pub second: Vec<Word>,
}

impl Groups {
    pub fn all(&self) -> impl Iterator<Item = &Word> {
        self.first.iter().chain(&self.second)
    }

    pub fn sizes(&self) -> (usize, usize) {
        (self.first.len(), self.second.len())
    }
}

/// All rules of one name.
#[derive(Debug)]
pub(super) struct RuleSet {
    pub name: Word,
    pub parameters: Groups,
    pub rules: Vec<RecRule>,
}

#[derive(Debug)]
pub(super) struct RecRule {
    pub id: Word,
    pub locals: Vec<Word>,
    /// Interactions, each with the names and ports that take part.
    pub interactions: Vec<Vec<(Word, Word)>>,
    pub children: Vec<Child>,
}

#[derive(Debug)]
pub(super) enum Child {
    /// A name gets its component.
    Component(Word, Word),
    /// A part described by rules.
    Part(Word, Groups, Span),
}

/// A whole file.
#[derive(Debug, Default)]
pub(super) struct RecSystem {
    pub sets: Vec<RuleSet>,
    pub comments: Comments,
    /// Whether everything could be read.
    pub is_whole: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token {
    Word,
    Let,
    In,
    Sign(&'static str),
    End,
}

const SIGNS: [&str; 12] = [":=", "(", ")", "[", "]", ",", ";", ":", ".", "+", "/", "|"];

/// The tree of a text.
pub(super) fn parse(text: &str, base: u32, texts: &mut Texts<'_>) -> RecSystem {
    let (tokens, remarks) = lex(text, base, texts);
    let mut parser = Parser { text, base, tokens, at: 0, texts };
    let before = parser.texts.diagnostics.len();
    let mut sets = Vec::new();
    loop {
        match parser.rule_set() {
            Some(set) => sets.push(set),
            None => parser.skip(),
        }
        if parser.now() == Token::End {
            break;
        }
    }
    let is_whole = parser.texts.diagnostics.len() == before && before == 0;
    RecSystem { sets, comments: Comments::new(remarks), is_whole }
}

fn lex(text: &str, base: u32, texts: &mut Texts<'_>) -> (Vec<(Token, Span)>, Vec<Remark>) {
    let (mut tokens, mut remarks) = (Vec::new(), Vec::new());
    let place = |from: usize, to: usize| Span::new(base + from as u32, base + to as u32);
    let mut at = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or("");
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let word = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if first == '#' {
            let line = rest.find(['\r', '\n']).unwrap_or(rest.len());
            remarks.push(Remark::new(place(at, at + line), rest.get(1..line).unwrap_or("")));
            at += line;
        } else if first.is_ascii_alphabetic() {
            tokens.push((Token::Word, place(at, at + word)));
            at += word;
        } else if let Some(token) = reserved(rest.get(..word).unwrap_or("")) {
            tokens.push((token, place(at, at + word)));
            at += word;
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            tokens.push((Token::Sign(sign), place(at, at + sign.len())));
            at += sign.len();
        } else {
            let end = at + first.len_utf8();
            texts.report(UnreadableText { span: place(at, end), flaw: ImportFlaw::Strange });
            at = end;
        }
    }
    tokens.push((Token::End, place(text.len(), text.len())));
    (tokens, remarks)
}

fn reserved(word: &str) -> Option<Token> {
    match word {
        "_let_" => Some(Token::Let),
        "_in_" => Some(Token::In),
        _ => None,
    }
}

struct Parser<'t, 'x, 'f> {
    text: &'t str,
    base: u32,
    tokens: Vec<(Token, Span)>,
    at: usize,
    texts: &'x mut Texts<'f>,
}

impl Parser<'_, '_, '_> {
    fn peek(&self) -> (Token, Span) {
        let last = self.tokens.len().saturating_sub(1);
        self.tokens.get(self.at.min(last)).copied().unwrap_or((Token::End, Span::default()))
    }

    fn now(&self) -> Token {
        self.peek().0
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.now(), Token::Sign(now) if now == sign)
    }

    /// Goes on if this sign stands here.
    fn accept(&mut self, sign: &str) -> bool {
        let is = self.is(sign);
        self.at += usize::from(is);
        is
    }

    fn text(&self, span: Span) -> String {
        let range = (span.start - self.base) as usize..(span.end - self.base) as usize;
        self.text.get(range).unwrap_or("").to_owned()
    }

    fn misfit<T>(&mut self, expected: &'static str) -> Option<T> {
        let span = self.peek().1;
        let found = self.text(span);
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
        let (token, span) = self.peek();
        if token != Token::Word {
            return self.misfit(told);
        }
        self.at += 1;
        Some(Word { text: self.text(span), span })
    }

    /// Goes on behind the next `;`.
    fn skip(&mut self) {
        while self.now() != Token::End && !self.is(";") {
            self.at += 1;
        }
        self.accept(";");
    }

    /// Names, separated by commas.
    fn words(&mut self) -> Option<Vec<Word>> {
        let mut words = vec![self.word("a name")?];
        while self.accept(",") {
            words.push(self.word("a name")?);
        }
        Some(words)
    }

    fn groups(&mut self) -> Option<Groups> {
        self.sign("(", "`(`")?;
        let mut groups = Groups::default();
        if self.now() == Token::Word {
            groups.first = self.words()?;
        }
        if self.accept("/") {
            groups.second = self.words()?;
        }
        self.sign(")", "`,` or `)`")?;
        Some(groups)
    }

    fn rule_set(&mut self) -> Option<RuleSet> {
        let name = self.word("the name of rules")?;
        let parameters = self.groups()?;
        self.sign(":=", "`:=`")?;
        let mut rules = vec![self.rule()?];
        while self.accept("|") {
            rules.push(self.rule()?);
        }
        self.sign(";", "`|` or `;`")?;
        Some(RuleSet { name, parameters, rules })
    }

    fn rule(&mut self) -> Option<RecRule> {
        self.sign("[", "`[`, with the name of a rule behind it,")?;
        let id = self.word("the name of a rule")?;
        self.sign("]", "`]`")?;
        let mut locals = Vec::new();
        if self.now() == Token::Let {
            self.at += 1;
            locals = self.words()?;
            if self.now() != Token::In {
                return self.misfit("`,` or `_in_`");
            }
            self.at += 1;
        }
        let interactions = self.interactions()?;
        let children = self.children()?;
        Some(RecRule { id, locals, interactions, children })
    }

    fn interactions(&mut self) -> Option<Vec<Vec<(Word, Word)>>> {
        self.sign("(", "`(`, with interactions,")?;
        let mut all = Vec::new();
        if !self.is(")") {
            loop {
                let mut interaction = vec![self.port()?];
                while self.now() == Token::Word {
                    interaction.push(self.port()?);
                }
                all.push(interaction);
                if !self.accept("+") {
                    break;
                }
            }
        }
        self.sign(")", "a port, `+` or `)`")?;
        Some(all)
    }

    fn port(&mut self) -> Option<(Word, Word)> {
        let name = self.word("a port such as `x.p`")?;
        self.sign(".", "`.` and a port")?;
        Some((name, self.word("a port")?))
    }

    fn children(&mut self) -> Option<Vec<Child>> {
        self.sign("(", "`(`, with components and parts,")?;
        let mut children = Vec::new();
        if !self.is(")") {
            loop {
                children.push(self.child()?);
                if !self.accept(",") {
                    break;
                }
            }
        }
        self.sign(")", "`,` or `)`")?;
        Some(children)
    }

    fn child(&mut self) -> Option<Child> {
        let name = self.word("a component `x : c`, or a part,")?;
        if self.accept(":") {
            return Some(Child::Component(name, self.word("the name of a component")?));
        }
        if !self.is("(") {
            return self.misfit("`:` or `(`");
        }
        let groups = self.groups()?;
        let end = self.tokens.get(self.at.saturating_sub(1)).map_or(name.span, |(_, span)| *span);
        let span = name.span.to(end);
        Some(Child::Part(name, groups, span))
    }
}
