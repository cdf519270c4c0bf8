//! What stands where a declaration should: statements that belong to the block before, misspelt words, declarations of
//! other languages, and texts that are none.

use super::ast::{Docs, ItemKind};
use super::body::{Block, Body};
use super::cut::{self, Ending};
use super::habits::{self, Declaration};
use super::misfit;
use super::parser::{Parser, stray_semicolon};
use super::problems::{
    Habit, MisplacedStatement, MisspeltKeyword, OtherNotation, UnexpectedToken, UnmatchedBracket,
};
use super::statement::Parsed;
use super::token::{CONTEXTUAL, KEYWORDS, Token};
use crate::diagnostics::closest;

/// After so many texts in a row that are no declarations, the file is something else.
const MOST_GARBAGE: usize = 3;

impl Parser<'_> {
    /// Statements after the `}` of a block belong to it: the `}` came too early.
    pub(super) fn belongs_to_last_block(&mut self, token: Token) -> bool {
        let Some((_, belongs)) = self.kind_of_statement(token) else { return false };
        let (block, name) = match self.module.items.last().map(|item| &item.kind) {
            Some(ItemKind::Process(process)) => (Block::Process, process.name),
            Some(ItemKind::Net(net)) => (Block::Net, net.name),
            Some(ItemKind::Architecture(one)) => (Block::Architecture, one.name),
            _ => return false,
        };
        let fits = matches!(
            (block, belongs),
            (Block::Process, "a process")
                | (Block::Net, "a net")
                | (Block::Architecture, "an architecture")
        );
        if !fits || self.at == 0 || self.lexed.tokens[self.at - 1] != Token::CloseBrace {
            return false;
        }
        let close = self.span_at(self.at - 1);
        self.report(UnmatchedBracket {
            span: close,
            close: "}".to_owned(),
            closes: Some((name.span, name.name.to_string())),
        });
        let mut body = Body::default();
        self.body(block, &mut body, close);
        if let Some(item) = self.module.items.last_mut() {
            body.append_to(&mut item.kind);
        }
        true
    }

    /// `proces P { … }`: goes on as if the keyword had been written.
    pub(super) fn misspelt(&mut self, docs: Docs, token: Token) -> bool {
        let Some(found) = token.as_name() else { return false };
        let follows = self.token_at(self.at + 1);
        let fits =
            |next: Token| next.as_name().is_some() || matches!(next, Token::Text(_) | Token::Not);
        if !follows.is_some_and(fits) {
            return false;
        }
        let words = KEYWORDS.iter().chain(CONTEXTUAL);
        let items = words.filter(|(_, token)| cut::starts_item(*token));
        let Some(meant) = closest(found.as_str(), items.map(|(word, _)| *word)) else {
            return false;
        };
        self.replace_keyword(found, meant);
        self.item(docs);
        true
    }

    /// A declaration that other languages have: goes on as if ours had been written, where there is one.
    pub(super) fn other_declaration(&mut self, docs: &Docs, token: Token) -> bool {
        let Some(found) = token.as_name() else { return false };
        let is_name = |at: usize| self.token_at(at).and_then(Token::as_name);
        // `active proctype P`: the word before the one that declares something is part of it.
        if let (Some(second), Some(_)) = (is_name(self.at + 1), is_name(self.at + 2))
            && let Some(Declaration::Keyword(meant)) = habits::declaration(second.as_str())
        {
            let span = self.span_at(self.at).to(self.span_at(self.at + 1));
            let (found, meant_text) = (format!("{found} {second}"), meant.to_owned());
            self.report(MisspeltKeyword { span, found, meant: meant_text });
            self.at += 1;
            self.garbage = 0;
            self.put_keyword(meant);
            self.item(docs.clone());
            return true;
        }
        let Some(declared) = habits::declaration(found.as_str()) else { return false };
        let next = self.token_at(self.at + 1);
        if !next.is_some_and(|next| next.as_name().is_some() || matches!(next, Token::Text(_))) {
            return false;
        }
        let start = self.at;
        self.garbage = 0;
        match declared {
            Declaration::Keyword("process") if cut::is_alias(&self.lexed.tokens, start) => {
                let (span, found) = (self.span_at(start), found.to_string());
                let habit = habits::PROCESS_TERM;
                self.report(OtherNotation { span, found, habit, meant: None });
                self.skip_to_item();
            }
            Declaration::Keyword(meant) => {
                self.replace_keyword(found, meant);
                self.item(docs.clone());
                return true;
            }
            Declaration::Record => {
                let end = cut::braced_end(&self.lexed.tokens, start).0;
                let more = usize::from(self.token_at(end) == Some(Token::Semicolon));
                let end = end + more;
                let kind = match self.statement(Token::StartItem, end, Ending::Proper) {
                    Some(Parsed::Item(kind)) => kind,
                    _ => ItemKind::Error,
                };
                self.push(docs.clone(), kind, start);
            }
            Declaration::Nothing(habit) => {
                let (span, found) = (self.span_at(start), found.to_string());
                self.report(OtherNotation { span, found, habit, meant: None });
                self.skip_to_item();
                // All that follows is of the other language.
                if habit == Habit::Package {
                    self.note_names(start, self.lexed.tokens.len());
                    self.at = self.lexed.tokens.len();
                }
            }
        }
        // Other languages end their blocks with a `;`.
        if self.lexed.tokens[self.at - 1] == Token::CloseBrace
            && self.peek() == Some(Token::Semicolon)
        {
            self.at += 1;
        }
        true
    }

    pub(super) fn unexpected_at_top(&mut self, token: Token) {
        let span = self.span_at(self.at);
        if token == Token::CloseBrace {
            self.report(UnmatchedBracket { span, close: "}".to_owned(), closes: None });
            self.at += 1;
            return;
        }
        if token == Token::Semicolon {
            self.report(stray_semicolon(span));
            self.at += 1;
            return;
        }
        self.garbage += 1;
        match self.kind_of_statement(token) {
            _ if self.garbage > MOST_GARBAGE || self.is_excused(self.at, self.at + 1) => {}
            Some((what, belongs)) => {
                let (what, belongs) = (what.to_owned(), belongs.to_owned());
                let place = "the top of a file".to_owned();
                self.report(MisplacedStatement { span, what, place, belongs });
            }
            None => self.report(UnexpectedToken {
                span,
                found: misfit::in_words(Some(token)),
                expected: vec!["a declaration".to_owned()],
                note: Some(
                    "a file is made of `sort`, `enum`, `data`, `fun`, `const`, `action`, `interface`, \
                     `process`, `net`, `check`, `scenario` and the like"
                        .to_owned(),
                ),
            }),
        }
        self.skip_to_item();
    }

    /// Steps over a text that is no declaration: up to its `;` or `}`, or to the next declaration.
    fn skip_to_item(&mut self) {
        let start = self.at;
        let mut braces = 0usize;
        let mut end = start;
        while let Some(token) = self.token_at(end) {
            match token {
                Token::OpenBrace => braces += 1,
                Token::CloseBrace if braces <= 1 => {
                    end += usize::from(braces == 1);
                    break;
                }
                Token::CloseBrace => braces -= 1,
                Token::Semicolon if braces == 0 => {
                    end += 1;
                    break;
                }
                token if cut::starts_item(token) => break,
                _ => {}
            }
            end += 1;
        }
        self.at = end.max(start + 1);
        self.note_names(start, self.at);
    }
}
