//! Clauses put together: packages, and the blocks in them.

use super::super::super::comments::Comments;
use super::super::super::problems::{Misplaced, MisplacedBip};
use super::super::super::text::Texts;
use super::super::tree::{Clause, ClauseKind, PathName};
use crate::diagnostics::Span;

/// A package: its name, what it uses, and its blocks.
#[derive(Debug, Default)]
pub(super) struct PackageTree {
    pub name: String,
    pub uses: Vec<PathName>,
    pub blocks: Vec<Block>,
    pub comments: Comments,
}

/// A declaration with the clauses inside it, up to its end.
#[derive(Debug)]
pub(super) struct Block {
    pub head: Clause,
    pub body: Vec<Clause>,
    pub span: Span,
}

/// The package of some clauses.
pub(super) fn package(
    clauses: Vec<Clause>,
    comments: Comments,
    texts: &mut Texts<'_>,
) -> PackageTree {
    let mut tree = PackageTree { comments, ..PackageTree::default() };
    let mut open: Option<Block> = None;
    let (mut began, mut ended, mut behind): (Option<Span>, bool, bool) = (None, false, false);
    for clause in clauses {
        let span = clause.span;
        let mut tell = |what| texts.report(MisplacedBip { span, what });
        match &clause.kind {
            ClauseKind::Package(name) => {
                match began {
                    None => tree.name = name.text(),
                    Some(_) if behind => {}
                    Some(_) => {
                        tell(Misplaced::Again);
                        behind = ended;
                    }
                }
                began = began.or(Some(span));
                continue;
            }
            _ if began.is_none() => {
                tell(Misplaced::NoPackage);
                began = Some(span);
            }
            // One message for all that stands behind the end.
            _ if ended => {
                if !behind {
                    tell(Misplaced::Clause);
                }
                behind = true;
                continue;
            }
            _ => {}
        }
        match &clause.kind {
            ClauseKind::Use(name) if open.is_none() => tree.uses.push(name.clone()),
            ClauseKind::End => match open.take() {
                Some(mut block) => {
                    block.span = block.span.to(span);
                    tree.blocks.push(block);
                }
                None => ended = true,
            },
            ClauseKind::Atom { .. }
            | ClauseKind::Connector { .. }
            | ClauseKind::Compound { .. } => {
                if let Some(block) = open.take() {
                    texts.report(MisplacedBip { span: block.head.span, what: Misplaced::NoEnd });
                    tree.blocks.push(block);
                }
                open = Some(Block { head: clause, body: Vec::new(), span });
            }
            _ => match &mut open {
                Some(block) => block.body.push(clause),
                None => tree.blocks.push(Block { head: clause, body: Vec::new(), span }),
            },
        }
    }
    if let Some(block) = open {
        texts.report(MisplacedBip { span: block.head.span, what: Misplaced::NoEnd });
        tree.blocks.push(block);
    }
    match began {
        Some(span) if !ended => texts.report(MisplacedBip { span, what: Misplaced::NoEnd }),
        None if texts.diagnostics.is_empty() => {
            let span = texts.sources.files().last().map(|file| file.span().before());
            let span = span.unwrap_or_default();
            texts.report(MisplacedBip { span, what: Misplaced::NoPackage });
        }
        _ => {}
    }
    tree
}
