//! The tree of a reduction.

use serde::Serialize;

use super::ast::{Documented, Expr, Ident, Instance};
use crate::diagnostics::Span;

/// How the system of a net is made part by part.
#[derive(Clone, Debug, Serialize)]
pub struct ReductionDecl {
    /// Its name.
    pub name: Ident,
    /// Of what.
    pub net: Instance,
    /// What is done.
    pub statements: Vec<Reducing>,
}

/// A statement of a reduction.
pub type Reducing = Documented<ReducingKind>;

/// A statement of a reduction, or a text that could not be parsed.
#[derive(Clone, Debug, Serialize)]
pub enum ReducingKind {
    /// Could not be parsed; it has been reported.
    Error,
    /// `restrict Directory by Agent[1];`, `leaf strong;`, `compose Agent[1], Directory first;`, `root branching;`
    Does(Box<ReducingStep>),
}

/// What is done, whichever word it starts with.
#[derive(Clone, Debug, Serialize)]
pub struct ReducingStep {
    /// The word.
    pub word: Ident,
    /// Parts, or the name of a relation.
    pub what: Vec<PartPath>,
    /// What stands after `by`.
    pub by: Vec<PartPath>,
    /// The word at the end.
    pub last: Option<Ident>,
}

/// The path of a part: `Agent[1]`, `Left.Timer`.
#[derive(Clone, Debug, Serialize)]
pub struct PartPath {
    /// Its names, each with its index.
    pub steps: Vec<(Ident, Option<Expr>)>,
    /// Where it was written.
    pub span: Span,
}
