//! Relations between the states of nets, as later stages see them.

use super::program::{Expr, Instance, Local, Named};
use crate::diagnostics::Span;
use crate::syntax::ast::Ident;

/// A relation between the states of two nets.
#[derive(Debug)]
pub struct RelationDef {
    /// Its name.
    pub named: Named,
    /// The nets.
    pub nets: Vec<Instance>,
    /// Its pairs.
    pub pairs: Vec<PairDef>,
    /// Its local names.
    pub locals: Vec<Local>,
}

/// Related states.
#[derive(Debug)]
pub struct PairDef {
    /// A state of the first net: one state per leaf.
    pub left: Vec<Ident>,
    /// A state of the second net.
    pub right: Vec<Ident>,
    /// When they are related.
    pub guard: Option<Expr>,
    /// Where it was written.
    pub span: Span,
}
