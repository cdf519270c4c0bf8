//! One instance, one check, one property or one name that stands by itself: what somebody says about a file from outside. It is parsed
//! by the grammar of the language, each in a text of its own, so that nothing can be put around it or after it.

use super::ast::{CheckDecl, Expr, Ident, Instance, ItemKind};
use super::cut::Ending;
use super::parser::{Parser, tokens};
use super::problems::{SyntaxProblem, UnexpectedToken};
use super::statement::Parsed;
use super::token::Token;
use crate::diagnostics::Span;

/// What a text was made of.
#[derive(Debug)]
pub struct Alone<T> {
    /// What it is, unless it is something else.
    pub found: Option<T>,
    /// Where it stands, without what is only white space and comments around it.
    pub span: Span,
    /// What is wrong with it.
    pub problems: Vec<SyntaxProblem>,
}

/// An instance: `Ring<5>(P: Timer)`.
pub fn parse_instance(text: &str, base: u32) -> Alone<Instance> {
    whole((text, base), Token::StartInstance, "a net or a process", |parsed| match parsed {
        Parsed::Instance(instance) => Some(*instance),
        _ => None,
    })
}

/// A check without its `;`: `check size(Ring<5>) == (5, 10)`.
pub fn parse_check(text: &str, base: u32) -> Alone<CheckDecl> {
    whole((text, base), Token::StartCheck, "a check", |parsed| match parsed {
        Parsed::Item(ItemKind::Check(check)) => Some(*check),
        _ => None,
    })
}

/// A check as somebody asks it, who need not say that it is one: `size(Ring<5>) == (5, 10)`.
pub fn parse_claim(text: &str, base: u32) -> Alone<CheckDecl> {
    whole((text, base), Token::StartClaim, "a check", |parsed| match parsed {
        Parsed::Item(ItemKind::Check(check)) => Some(*check),
        _ => None,
    })
}

/// A property: `C in full and C.held > 3`.
pub fn parse_property(text: &str, base: u32) -> Alone<Expr> {
    whole((text, base), Token::StartProperty, "a property", |parsed| match parsed {
        Parsed::Property(property) => Some(*property),
        _ => None,
    })
}

/// A name.
pub fn parse_name(text: &str, base: u32) -> Alone<Ident> {
    let (lexed, problems) = tokens(text, base);
    let span = place(&lexed.spans, end_of(text, base));
    let mut alone = Alone { found: None, span, problems };
    match (lexed.tokens.as_slice(), lexed.spans.as_slice()) {
        ([token], [span]) if alone.problems.is_empty() => {
            alone.found = token.as_name().map(|name| Ident { name, span: *span });
        }
        _ => {}
    }
    if alone.found.is_none() && alone.problems.is_empty() {
        let found = if lexed.tokens.is_empty() { "nothing".to_owned() } else { quoted(text) };
        let expected = vec!["a name".to_owned()];
        alone.problems.push(UnexpectedToken { span, found, expected, note: None }.into());
    }
    alone
}

/// Parses all of a text as one thing.
fn whole<T>(
    (text, base): (&str, u32),
    mark: Token,
    what: &str,
    take: impl FnOnce(Parsed) -> Option<T>,
) -> Alone<T> {
    let (mut lexed, problems) = tokens(text, base);
    let span = place(&lexed.spans, end_of(text, base));
    let mut parser = Parser::new((text, base), &mut lexed, problems);
    parser.ends = "the end";
    let end = parser.lexed.tokens.len();
    if end == 0 && parser.problems.is_empty() {
        let (found, expected) = ("nothing".to_owned(), vec![what.to_owned()]);
        parser.problems.push(UnexpectedToken { span, found, expected, note: None }.into());
        return Alone { found: None, span, problems: parser.problems };
    }
    let found = parser.statement(mark, end, Ending::Proper).and_then(take);
    parser.stray_docs(end_of(text, base));
    Alone { found, span, problems: parser.problems }
}

/// From the first token to the last.
fn place(spans: &[Span], end: Span) -> Span {
    spans.iter().copied().reduce(Span::to).unwrap_or(end)
}

/// The place behind a text.
fn end_of(text: &str, base: u32) -> Span {
    let end = base + text.len() as u32;
    Span::new(end, end)
}

fn quoted(text: &str) -> String {
    format!("`{}`", text.trim())
}
