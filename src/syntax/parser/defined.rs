//! Invariants as people write them who think of definitions: `invariant I of S = e;` instead of a block.

use super::super::ast::Docs;
use super::super::body::{Block, Body};
use super::super::build::Builder;
use super::super::cut;
use super::super::problems::{Habit, OtherNotation};
use super::super::statement::{self, BlockHead, Parsed};
use super::super::token::Token;
use super::Parser;
use crate::diagnostics::Span;

impl Parser<'_> {
    /// Reads an invariant that has no block, but a sign and a condition: it goes on as if the block had been written. False
    /// where it is something else.
    pub(super) fn defined_invariant(&mut self, docs: &Docs) -> bool {
        let start = self.at;
        let (end, ending) = cut::item_end(&self.lexed.tokens, start);
        let is_sign = |token: &Token| matches!(token, Token::Equal | Token::Colon | Token::Assign);
        let Some(sign) = self.lexed.tokens[start..end].iter().position(is_sign) else {
            return false;
        };
        let sign = start + sign;
        if sign + 1 >= end || self.token_at(sign + 1) == Some(Token::Semicolon) {
            return false;
        }
        let Some(head) = self.head_before(start, sign) else { return false };
        let mut body = Body::default();
        if self.token_at(sign + 1) == Some(Token::OpenBrace) {
            let gap = Span::new(self.span_at(sign - 1).end, self.span_at(sign + 1).start);
            self.no_definition((start, sign), (String::new(), vec![(gap, " ".to_owned())]));
            self.at = sign + 2;
            self.body(Block::Invariant, &mut body, self.span_at(sign + 1));
        } else {
            let meant = self.as_block((start, sign, end));
            self.no_definition((start, sign), meant);
            self.at = sign + 1;
            let parsed = self.statement(Token::StartInvariant, end, ending);
            body.push(Block::Invariant, Docs::default(), parsed, self.span_since(sign + 1), ending);
        }
        self.push(docs.clone(), body.into_item(head), start);
        true
    }

    /// What stands before the sign, if it is the head of a block.
    fn head_before(&self, start: usize, sign: usize) -> Option<BlockHead> {
        let mut tokens = self.lexed.tokens[start..sign].to_vec();
        let mut spans = self.lexed.spans[start..sign].to_vec();
        tokens.push(Token::OpenBrace);
        spans.push(self.span_at(sign));
        match statement::parse(Token::StartHead, &tokens, &spans, &mut Builder::default()) {
            Ok(Parsed::Head(head)) => Some(head),
            _ => None,
        }
    }

    fn no_definition(
        &mut self,
        (start, sign): (usize, usize),
        meant: (String, Vec<(Span, String)>),
    ) {
        let name = self.token_at(start + 1).and_then(Token::as_name);
        let found = name.map_or_else(String::new, |name| name.to_string());
        let (span, habit) = (self.span_at(sign), Habit::InvariantBlock);
        self.report(OtherNotation { span, found, habit, meant: Some(meant) });
    }

    /// The invariant as it is to be written, and the edits that make it so.
    fn as_block(&self, (start, sign, end): (usize, usize, usize)) -> (String, Vec<(Span, String)>) {
        let last = self.span_at(end - 1);
        let gap = Span::new(self.span_at(sign - 1).end, self.span_at(sign + 1).start);
        let ends = self.token_at(end - 1) == Some(Token::Semicolon);
        let text = |span: Span| {
            let (from, to) = ((span.start - self.base) as usize, (span.end - self.base) as usize);
            let words = self.text.get(from..to).unwrap_or_default().split_whitespace();
            words.collect::<Vec<_>>().join(" ")
        };
        let head = text(self.span_at(start).to(self.span_at(sign - 1)));
        let condition = text(Span::new(gap.end.min(last.end), last.end));
        let close = if ends { " }" } else { "; }" };
        let edits = vec![(gap, " { ".to_owned()), (last.after(), close.to_owned())];
        (format!("{head} {{ {condition}{close}"), edits)
    }
}
