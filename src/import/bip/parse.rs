//! From tokens to clauses. A clause begins with a word of its own outside of brackets, and a mistake costs one clause.

use lalrpop_util::ParseError;

use super::super::comments::Comments;
use super::super::problems::{BipFlaw, BrokenBip, NotInBip, Refusal, RefusedBip};
use super::super::text::Texts;
use super::followers::Piece;
use super::hint::Misfit;
use super::token::{Token, lex};
use super::tree::{Clause, ClauseKind};
use crate::diagnostics::Span;

/// How deep brackets and conditions may be nested.
const MAX_DEPTH: usize = 200;

thread_local! {
    // The generated parser holds nothing but tables.
    static PARSER: grammar::ClauseParser = grammar::ClauseParser::new();
}

/// What was read of a text.
pub(super) struct Parsed {
    /// The clauses that can be read.
    pub clauses: Vec<Clause>,
    pub comments: Comments,
    /// All of them, with their names.
    pub pieces: Vec<Piece>,
}

/// The clauses of a text, those that can be read, and its comments.
pub(super) fn parse(text: &str, base: u32, texts: &mut Texts<'_>) -> Parsed {
    let (tokens, remarks) = lex(text, base, texts);
    let end = base + text.len() as u32;
    let (mut clauses, mut all) = (Vec::new(), Vec::new());
    // A file of BIP1 is told once.
    let is_older =
        matches!(tokens.first(), Some((Token::Name(name), _)) if name.as_str() == "model");
    let many = if is_older { 1 } else { usize::MAX };
    for piece in pieces(&tokens).into_iter().take(many) {
        let kind = clause(piece, (text, base, end), texts);
        // Annotations are no clauses, and clocks are told.
        let is_left_out = matches!(piece.first(), Some((Token::Annotation | Token::Clock, _)));
        let whole = Piece::new(piece, kind.is_none() && !is_left_out);
        clauses.extend(kind.map(|kind| Clause { kind, span: whole.span }));
        all.push(whole);
    }
    Parsed { clauses, comments: Comments::new(remarks), pieces: all }
}

/// Whether a clause can begin with a token.
fn begins(token: Token) -> bool {
    matches!(
        token,
        Token::Package
            | Token::Use
            | Token::Const
            | Token::Data
            | Token::Extern
            | Token::Port
            | Token::Atom
            | Token::Export
            | Token::Clock
            | Token::Place
            | Token::Initial
            | Token::On
            | Token::Internal
            | Token::Priority
            | Token::Invariant
            | Token::End
            | Token::Connector
            | Token::Define
            | Token::Compound
            | Token::Component
            | Token::Annotation
    )
}

/// The tokens of each clause.
fn pieces(tokens: &[(Token, Span)]) -> Vec<&[(Token, Span)]> {
    let mut pieces = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    for (at, (token, _)) in tokens.iter().enumerate() {
        let before =
            at.checked_sub(1).and_then(|before| tokens.get(before)).map(|(token, _)| *token);
        let is_inside = matches!(before, Some(Token::Const | Token::Extern | Token::Export));
        // A head never stands in brackets: one that was not closed ends here.
        let is_head = matches!(
            token,
            Token::Atom
                | Token::Connector
                | Token::Compound
                | Token::Package
                | Token::Place
                | Token::Component
        );
        // `atomic type A` of BIP1, which is told.
        let is_older = matches!(token, Token::Name(name) if name.as_str() == "atomic")
            && matches!(tokens.get(at + 1), Some((Token::Type, _)));
        if (begins(*token) || is_older) && !is_inside && (depth == 0 || is_head || is_older) {
            if at > start {
                pieces.push(&tokens[start..at]);
            }
            (start, depth) = (at, 0);
        }
        match token {
            Token::OpenParen | Token::OpenBrace => depth += 1,
            Token::CloseParen | Token::CloseBrace => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    if start < tokens.len() {
        pieces.push(&tokens[start..]);
    }
    pieces
}

/// The place that is nested too deep, if there is one.
fn too_deep(tokens: &[(Token, Span)]) -> Option<Span> {
    let mut depth = 0_usize;
    for (token, span) in tokens {
        match token {
            Token::OpenParen | Token::OpenBrace | Token::If => depth += 1,
            Token::CloseParen | Token::CloseBrace | Token::Fi => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Some(*span);
        }
    }
    None
}

fn clause(
    tokens: &[(Token, Span)],
    (text, base, end): (&str, u32, u32),
    texts: &mut Texts<'_>,
) -> Option<ClauseKind> {
    let (first, place) = *tokens.first()?;
    match first {
        // Annotations are for other tools.
        Token::Annotation => return None,
        Token::Clock => {
            texts.report(RefusedBip { span: place, refusal: Refusal::Clock });
            return None;
        }
        _ => {}
    }
    if let Some(span) = too_deep(tokens) {
        texts.report(BrokenBip { span, flaw: BipFlaw::TooDeep });
        return None;
    }
    let all = tokens.iter().map(|(token, span)| Ok((span.start, *token, span.end)));
    let parsed = PARSER.with(|parser| parser.parse(all));
    let (at, expected) = match parsed {
        Ok(kind) => return Some(kind),
        Err(ParseError::UnrecognizedToken { token, expected }) => {
            (Span::new(token.0, token.2), expected)
        }
        Err(ParseError::UnrecognizedEof { expected, location }) => {
            // What comes next is what does not fit.
            let next = (end, end);
            let _ = location;
            (Span::new(next.0, next.1), expected)
        }
        Err(_) => (place, Vec::new()),
    };
    let range = (at.start - base) as usize..(at.end - base) as usize;
    let found = text.get(range).unwrap_or("").to_owned();
    let is_early = at.start == end;
    let span = match is_early {
        true => tokens.last().map_or(at, |(_, span)| span.after()),
        false => at,
    };
    let place_of = tokens.iter().position(|(_, span)| !is_early && *span == at);
    let misfit = Misfit { tokens, at: place_of.unwrap_or(tokens.len()), expected: &expected };
    let hint = misfit.hint();
    let clause = text.get((place.start - base) as usize..(place.end - base) as usize).unwrap_or("");
    texts.report(NotInBip {
        span,
        found,
        clause: clause.to_owned(),
        expected: told(&expected),
        hint,
    });
    None
}

/// What would have fitted, in words: at most a few.
fn told(expected: &[String]) -> Vec<String> {
    let is_value = expected.iter().any(|one| one.trim_matches('"') == "number");
    let word = |one: &String| match one.trim_matches('"') {
        "name" | "(" | "!" | "~" | "+" | "-" | "number" | "float" | "text" | "true" | "false"
            if is_value =>
        {
            "a value".to_owned()
        }
        "name" => "a name".to_owned(),
        "&&" | "||" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%" | "&"
        | "|" | "^"
            if expected.len() > 8 =>
        {
            "an operator".to_owned()
        }
        sign => format!("`{sign}`"),
    };
    let mut words: Vec<String> = expected.iter().map(word).collect();
    words.sort();
    words.dedup();
    words.truncate(6);
    words
}

#[allow(
    clippy::all,
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    missing_docs,
    unused_imports,
    unused_extern_crates,
    unreachable_pub,
    reason = "generated from grammar/bip.lalrpop"
)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/bip.rs"));
}
