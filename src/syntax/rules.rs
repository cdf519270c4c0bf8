//! Architectures: blocks within a block.

use super::ast::{Docs, Documented, RuleKind};
use super::body::{Block, Body};
use super::build::Builder;
use super::cut::{self, Ending};
use super::parser::Parser;
use super::problems::{MisplacedStatement, UnexpectedToken};
use super::statement::{self, BlockHead, Parsed};
use super::token::Token;
use super::{habits, misfit};
use crate::diagnostics::closest;

/// The words that statements of rules start with.
const WORDS: &[&str] = &["sub", "connect", "priority", "new", "never"];

impl Parser<'_> {
    /// What stands in an architecture: a rule, or something that should stand in one.
    pub(super) fn in_architecture(&mut self, body: &mut Body, docs: Docs, token: Token) {
        let start = self.at;
        match token {
            Token::Rule => self.rule(body, docs),
            _ if self.lacks_its_word(token) => self.rule_without_word(body, docs),
            _ if self.mends_word_of_rule(token) => self.rule(body, docs),
            _ => {
                self.report(self.no_rule(token));
                let end = cut::rule_statement_end(&self.lexed.tokens, start).0.max(start + 1);
                self.note_names(start, end);
                self.at = end;
            }
        }
    }

    fn rule(&mut self, body: &mut Body, docs: Docs) {
        let start = self.at;
        let (head, open) = self.block_head(start, Block::Rule);
        self.rule_body(body, docs, head, (start, open));
    }

    /// The statements of a rule, after its `{`.
    fn rule_body(
        &mut self,
        body: &mut Body,
        docs: Docs,
        head: Option<BlockHead>,
        (start, open): (usize, crate::diagnostics::Span),
    ) {
        let mut inside = Body::default();
        let closed = self.body(Block::Rule, &mut inside, open);
        body.open_inside = !closed && self.peek() != Some(Token::Rule);
        let kind = head.map_or(RuleKind::Error, |head| inside.into_rule(head));
        let span = self.span_since(start);
        body.rules.push(Documented { docs, kind, span });
    }

    /// Whether this is `Chain(x, y) { … }`.
    fn lacks_its_word(&self, token: Token) -> bool {
        let is_open = |at: usize| self.token_at(at) == Some(Token::OpenParen);
        token.as_name().is_some()
            && is_open(self.at + 1)
            && cut::block_start(&self.lexed.tokens, self.at).is_some()
    }

    /// Goes on as if `rule` had been written.
    fn rule_without_word(&mut self, body: &mut Body, docs: Docs) {
        let start = self.at;
        let span = self.span_at(start);
        let found = misfit::in_words(self.peek());
        let note = Some("write `rule` before the name".to_owned());
        self.report(UnexpectedToken { span, found, expected: vec!["`rule`".to_owned()], note });
        let open = cut::block_start(&self.lexed.tokens, start).unwrap_or(start);
        let mut tokens = vec![Token::Rule];
        tokens.extend(&self.lexed.tokens[start..=open]);
        let mut spans = vec![span.before()];
        spans.extend(&self.lexed.spans[start..=open]);
        let mut build = Builder::default();
        let head = match statement::parse(Token::StartHead, &tokens, &spans, &mut build) {
            Ok(Parsed::Head(head)) => Some(head),
            _ => None,
        };
        self.at = open + 1;
        self.rule_body(body, docs, head, (start, self.span_at(open)));
    }

    /// `rul Chain(x, y) { … }`
    fn mends_word_of_rule(&mut self, token: Token) -> bool {
        let Some(found) = token.as_name() else { return false };
        let is_name = self.token_at(self.at + 1).is_some_and(|next| next.as_name().is_some());
        let meant = closest(found.as_str(), ["rule"]);
        let other = matches!(found.as_str(), "def" | "production" | "case" | "let" | "predicate");
        let fits = is_name && self.token_at(self.at + 2) == Some(Token::OpenParen);
        if !fits || meant.is_none() && !other {
            return false;
        }
        self.replace_keyword(found, "rule");
        true
    }

    fn no_rule(&self, token: Token) -> super::problems::SyntaxProblem {
        let span = self.span_at(self.at);
        let in_rule = match token {
            Token::New => Some("new names"),
            Token::Never => Some("a claim"),
            _ => self.kind_of_statement(token).map(|(what, _)| what),
        };
        let part =
            token.as_name().is_some() && self.token_at(self.at + 1) == Some(Token::OpenParen);
        let in_rule = in_rule.or(part.then_some("a use of a rule"));
        match in_rule {
            Some(what) => {
                let (what, place) = (what.to_owned(), "an architecture".to_owned());
                let belongs = "a rule".to_owned();
                MisplacedStatement { span, what, place, belongs }.into()
            }
            None => UnexpectedToken {
                span,
                found: misfit::in_words(Some(token)),
                expected: vec!["a rule".to_owned()],
                note: Some("an architecture is made of rules: `rule Chain(x, y) { … }`".to_owned()),
            }
            .into(),
        }
    }

    /// Mends `nwe x;`: a name before a name is a misspelt word.
    pub(super) fn mend_word_in_rule(&mut self, token: Token) -> Token {
        let Some(found) = token.as_name() else { return token };
        let follows = self.token_at(self.at + 1);
        if matches!(token, Token::New | Token::Never)
            || follows.is_none_or(|next| next.as_name().is_none())
        {
            return token;
        }
        let meant = habits::word_of_rules(found.as_str())
            .or_else(|| closest(found.as_str(), WORDS.iter().copied()));
        meant.map_or(token, |meant| self.replace_keyword(found, meant))
    }

    /// What stands in a rule only, and starts here in a process or net.
    pub(super) fn kind_in_rule(&self, token: Token) -> Option<&'static str> {
        let next = self.token_at(self.at + 1)?;
        match token {
            Token::New if next.as_name().is_some() => Some("new names"),
            Token::Never if next != Token::Arrow && next != Token::Semicolon => Some("a claim"),
            _ => None,
        }
    }

    /// The end of a statement of a rule.
    pub(super) fn rule_statement_end(&self, start: usize) -> (usize, Ending) {
        cut::rule_statement_end(&self.lexed.tokens, start)
    }
}
