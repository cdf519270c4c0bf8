//! The tree of an invariant.

use serde::Serialize;

use super::ast::{Documented, Expr, Ident, Instance};

/// What is claimed to hold in all configurations of a net, and to be kept by each step.
#[derive(Clone, Debug, Serialize)]
pub struct InvariantDecl {
    /// Its name.
    pub name: Ident,
    /// Of what.
    pub net: Instance,
    /// What holds: all of these.
    pub conditions: Vec<Condition>,
}

/// A condition of an invariant.
pub type Condition = Documented<ConditionKind>;

/// A condition of an invariant, or a text that could not be parsed.
#[derive(Clone, Debug, Serialize)]
pub enum ConditionKind {
    /// Could not be parsed; it has been reported.
    Error,
    /// `C.serving <= C.next;`
    Holds(Box<Expr>),
}
