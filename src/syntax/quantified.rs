//! Quantified formulas.

use serde::Serialize;

use super::ast::{Expr, Ident, PartPath, Sort};

/// A quantified formula.
#[derive(Clone, Debug, Serialize)]
pub struct Quantified {
    /// Whether it is `forall`; else `exists`.
    pub universal: bool,
    /// The variables, with what they go through.
    pub variables: Vec<(Ident, BoundBy)>,
    /// What is claimed of them.
    pub body: Expr,
}

/// What a variable of a quantifier goes through.
#[derive(Clone, Debug, Serialize)]
pub enum BoundBy {
    /// `forall x`: what it is used as.
    Use,
    /// `forall x: Int`
    Sort(Sort),
    /// `forall x in P`: the members of a family.
    Members(PartPath),
}
