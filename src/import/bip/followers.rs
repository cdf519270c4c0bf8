//! Mistakes that only follow from others: where a clause cannot be read, what it would have declared is missing.

use rustc_hash::FxHashSet;

use super::token::Token;
use crate::diagnostics::{Diagnostic, Span, Symbol};

/// The names in a clause, and whether it could be read.
#[derive(Debug)]
pub(super) struct Piece {
    pub span: Span,
    pub names: Vec<(Symbol, Span)>,
    pub is_broken: bool,
    /// Whether it begins with a name, and so may have been the head of a block.
    is_headless: bool,
}

impl Piece {
    pub fn new(tokens: &[(Token, Span)], is_broken: bool) -> Piece {
        let last = tokens.last().map(|(_, span)| *span).unwrap_or_default();
        let span = tokens.first().map_or(last, |(_, span)| span.to(last));
        let names = tokens.iter().filter_map(|(token, span)| match token {
            Token::Name(name) => Some((*name, *span)),
            _ => None,
        });
        let is_headless = is_broken && matches!(tokens.first(), Some((Token::Name(_), _)));
        Piece { span, names: names.collect(), is_broken, is_headless }
    }
}

/// Leaves out what is said of names that clauses which cannot be read would have declared, and of what is made with these.
pub(super) fn drop_followers(pieces: &[Piece], diagnostics: &mut Vec<Diagnostic>) {
    let broken = pieces.iter().filter(|piece| piece.is_broken);
    let mut missing: FxHashSet<Symbol> =
        broken.flat_map(|piece| &piece.names).map(|(name, _)| *name).collect();
    let mut doubtful: FxHashSet<Symbol> = FxHashSet::default();
    // What would stand in a block whose head cannot be read seems to be in no place.
    if pieces.iter().any(|piece| piece.is_headless) {
        diagnostics.retain(|one| one.entry.code != "F0403");
    }
    loop {
        let many = diagnostics.len();
        diagnostics.retain(|one| {
            let span = one.span();
            let is_in = |whole: Span| whole.start <= span.start && span.end <= whole.end;
            let Some(piece) = pieces.iter().find(|piece| is_in(piece.span)) else { return true };
            let follows = match one.entry.code {
                "F0404" => piece.names.iter().any(|(name, at)| {
                    span.start <= at.start && at.end <= span.end && missing.contains(name)
                }),
                "F0406" | "F0408" => piece.names.iter().any(|(name, _)| doubtful.contains(name)),
                _ => false,
            };
            if follows {
                doubtful.extend(piece.names.iter().map(|(name, _)| *name));
            }
            !follows
        });
        missing.extend(&doubtful);
        if diagnostics.len() == many {
            return;
        }
    }
}
