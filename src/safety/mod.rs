//! Safety of nets with unbounded data: can something bad be reached?
//!
//! Input: a [`Problem`], made from a pNet component by component. Output: an inductive invariant that keeps away from what
//! is bad, a lead to a run that gets there, or why neither was found. Engines differ in how they look; what they find is in
//! one form:
//!
//! - an [`Invariant`] holds where the net begins, is kept by every interaction, and excludes what is bad. Nobody takes an
//!   engine's word for it: [`check`] puts all obligations to the solver once more;
//! - a [`Lead`] is a run as the solver sees it. It is no evidence until the plain interpreter has made the run.

mod abstraction;
mod bounded;
mod check;
mod directed;
mod example;
mod export;
mod flatten;
mod horn;
mod induction;
mod minimal;
mod obligations;
mod problem;
mod rivals;
mod shorter;
mod stuck;
mod tried;
mod unroll;

pub use abstraction::Abstraction;
pub use bounded::Bounded;
pub use check::{Unmet, axioms_contradict, check, excludes};
pub use directed::Directed;
pub use example::{Example, example};
pub use export::{NotWritten, horn_text, vmt_text};
pub use horn::Horn;
pub use induction::Induction;
pub use obligations::{Obligations, Obliged};
pub use problem::{
    Bad, Component, ComponentId, Interaction, InteractionId, Participant, ParticipantId, Problem,
    TooLarge, Turn, TurnId,
};
pub use shorter::shorter;

use crate::algebra::{ConstId, TermId, Terms};
use crate::base::{IndexVec, Watch};
use crate::explore::{Configuration, Domains};
use crate::smt::{Model, Value};

/// What holds in all configurations that can be reached: all of these conditions, over the variables of the state. They are
/// terms of a table of its own, which began as that of the problem.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// The terms.
    pub terms: Terms,
    /// The conditions.
    pub conjuncts: Vec<TermId>,
}

/// A run as a solver sees it: which interactions, in which ways, with which values.
#[derive(Clone, Debug, Default)]
pub struct Lead {
    /// The values of symbolic constants.
    pub constants: Vec<(ConstId, Value)>,
    /// The values of the variables of the state where it begins.
    pub begin: Model,
    /// The steps.
    pub steps: Vec<LeadStep>,
}

/// A step of a lead.
#[derive(Clone, Debug)]
pub struct LeadStep {
    /// The interaction.
    pub interaction: InteractionId,
    /// What each participant does.
    pub ways: IndexVec<ParticipantId, TurnId>,
    /// The values of the interaction's own variables.
    pub locals: Model,
    /// The values of the variables of the state after it.
    pub after: Model,
}

/// A run, configuration by configuration.
#[derive(Clone, Debug)]
pub struct Reached {
    /// The configurations, the first one first.
    pub path: Vec<Configuration>,
    /// The values that were tried where there are too many.
    pub domains: Domains,
}

/// What an engine found.
#[derive(Clone, Debug)]
pub enum Found {
    /// Nothing bad can be reached, and why.
    Safe(Box<Invariant>),
    /// Something bad is reached.
    Unsafe(Box<Lead>),
    /// Something bad is reached, configuration by configuration.
    Reached(Box<Reached>),
    /// Neither was found.
    Open(Open),
}

/// Why neither was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Open {
    /// The budget is spent.
    Stopped,
    /// The engine has tried all it can.
    GaveUp,
    /// Nothing bad in so many steps.
    Depth(usize),
    /// The solver does not know, and why.
    Solver(String),
}

/// How much work was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Questions to the solver.
    pub queries: usize,
    /// Nodes of a tree, frames, or candidates.
    pub nodes: usize,
    /// Predicates.
    pub predicates: usize,
    /// Refinements, or rounds.
    pub refinements: usize,
}

/// A way to look for an invariant or a lead.
pub trait Engine {
    /// What people call it.
    fn name(&self) -> &'static str;

    /// Looks.
    fn solve(&self, problem: &Problem<'_>, watch: &dyn Watch) -> (Found, Effort);
}
