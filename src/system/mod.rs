//! An open automaton as a symbolic transition system: configurations are a state and values of variables, steps change
//! both. What can be reached, and what holds whenever a state is.
//!
//! Input: an open automaton. A [`System`] is never changed by questions about it: these are put to a [`Prover`], which
//! has the table of terms and the oracle, and is borrowed apart from the system. Runs have concrete values, put to the
//! oracle again step by step; predicates are only candidates until all their duties are met.

mod facts;
mod fewer;
mod load;
mod prover;
mod quantifiers;
mod reaching;
mod sample;
mod settle;
mod shown;
mod valuation;

use rustc_hash::FxHashMap;

pub use facts::Facts;
pub(crate) use facts::{alike, guard_atoms};
pub use prover::Prover;
pub(crate) use reaching::settled_run;
pub use reaching::{Duty, Reached, SymbolicRun, duties, reaches, reaches_within};
pub use sample::Sample;
pub use settle::{Change, Settled};
pub use shown::{short, with_short_guards};
pub use valuation::Valuation;

use crate::algebra::{Term, TermId, Terms, VarId};
use crate::automaton::{OpenAutomaton, StateId, StateVariable, TransitionId};
use crate::base::IndexVec;
use crate::pnet::{HoleId, StateVariableId};
use crate::tagged_id;

tagged_id! {
    /// A step, by its place among those of the state in which it starts.
    StepId
}

/// An open transition as a step, or several in one.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it starts.
    pub source: StateId,
    /// Where it ends.
    pub target: StateId,
    /// What holes do, ordered by hole.
    pub holes: Vec<(HoleId, TermId)>,
    /// When it can happen; what the sorts of holes allow is part of it.
    pub guard: TermId,
    /// What is shown.
    pub action: TermId,
    /// What changes.
    pub updates: FxHashMap<VarId, TermId>,
    /// Its own variables.
    pub locals: Vec<VarId>,
    /// The transitions that it is made of; with a number where they are gone round so many times.
    pub made_of: Vec<(TransitionId, Option<TermId>)>,
}

/// The transition system of one automaton.
#[derive(Debug)]
pub struct System<'a> {
    /// The automaton, for names.
    pub automaton: &'a OpenAutomaton,
    /// Its variables in the prover's table, in the same order.
    pub variables: IndexVec<StateVariableId, StateVariable>,
    /// Its steps, by the states in which they start.
    pub steps: IndexVec<StateId, IndexVec<StepId, Step>>,
}

impl System<'_> {
    /// The name of a state.
    pub fn state_name(&self, state: StateId) -> String {
        self.automaton.state_name(state)
    }

    /// The initial values of the variables that have one.
    pub fn initial_values(&self) -> impl Iterator<Item = (VarId, TermId)> {
        self.variables.iter().filter_map(|v| v.initial.map(|initial| (v.var, initial)))
    }

    /// The variables that begin with any value.
    pub fn free_at_first(&self) -> Vec<VarId> {
        let free = self.variables.iter().filter(|variable| variable.initial.is_none());
        free.map(|variable| variable.var).collect()
    }

    /// All steps.
    pub fn all_steps(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().flatten()
    }

    /// When a step can be made in a state.
    pub fn can_move(&self, prover: &mut Prover<'_>, state: StateId) -> TermId {
        let steps = self.steps[state].iter();
        let moves: Vec<TermId> =
            steps.map(|step| prover.exists(&step.locals, vec![step.guard])).collect();
        prover.terms.or(moves)
    }
}

impl Step {
    /// Doing nothing.
    pub fn idle(terms: &mut Terms, state: StateId) -> Step {
        let (guard, action) = (terms.bool(true), terms.raw(Term::Tau));
        Step {
            source: state,
            target: state,
            holes: Vec::new(),
            guard,
            action,
            updates: FxHashMap::default(),
            locals: Vec::new(),
            made_of: Vec::new(),
        }
    }

    /// The same step with other terms in place of its own.
    #[must_use]
    pub fn mapped(&self, mut new: impl FnMut(TermId) -> TermId) -> Step {
        Step {
            holes: self.holes.iter().map(|&(hole, action)| (hole, new(action))).collect(),
            guard: new(self.guard),
            action: new(self.action),
            updates: self.updates.iter().map(|(&var, &value)| (var, new(value))).collect(),
            made_of: self.made_of.iter().map(|&(at, times)| (at, times.map(&mut new))).collect(),
            locals: self.locals.clone(),
            ..*self
        }
    }

    /// The terms by which it is told, in an order of their own.
    pub fn terms(&self) -> Vec<TermId> {
        let holes = self.holes.iter().map(|(_, action)| *action);
        let times = self.made_of.iter().filter_map(|(_, times)| *times);
        let updates = self.ordered_updates().into_iter().map(|(_, value)| value);
        holes.chain([self.action]).chain(updates).chain(times).collect()
    }

    /// What changes, ordered by variable.
    pub fn ordered_updates(&self) -> Vec<(VarId, TermId)> {
        let mut updates: Vec<(VarId, TermId)> =
            self.updates.iter().map(|(&var, &value)| (var, value)).collect();
        updates.sort_unstable();
        updates
    }

    /// What a hole does in it.
    pub fn hole(&self, hole: HoleId) -> Option<TermId> {
        self.holes.iter().find(|(other, _)| *other == hole).map(|(_, action)| *action)
    }

    /// Whether it leaves everything as it is.
    pub fn changes_nothing(&self, terms: &Terms) -> bool {
        self.source == self.target
            && self.updates.iter().all(|(&var, &value)| value == terms.var_term(var))
    }
}
