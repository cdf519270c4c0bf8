//! The tree of a scenario.

use serde::Serialize;

use super::ast::{Documented, Expr, Instance};
use crate::diagnostics::{Span, Symbol};

/// A run that must be possible, or must not be.
#[derive(Clone, Debug, Serialize)]
pub struct ScenarioDecl {
    /// Whether there must be no such run.
    pub negated: bool,
    /// What it is called.
    pub name: ScenarioName,
    /// Of what.
    pub net: Instance,
    /// Its steps.
    pub steps: Vec<Step>,
}

/// What a scenario is called: a name, or a text between quotes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ScenarioName {
    /// The name, or the text without its quotes.
    pub name: Symbol,
    /// Whether it stands between quotes.
    pub is_text: bool,
    /// Where it stands.
    pub span: Span,
}

/// A step of a scenario.
pub type Step = Documented<StepKind>;

/// A step of a scenario, or a text that could not be parsed.
#[derive(Clone, Debug, Serialize)]
pub enum StepKind {
    /// Could not be parsed; it has been reported.
    Error,
    /// `pass(0);`: a step that shows this action.
    Action(Box<Expr>),
    /// `..;`: any steps.
    Gap,
    /// `[n > 0];`: this property holds here.
    Demand(Box<Expr>),
}
