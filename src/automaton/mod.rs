//! Open automata: the finite symbolic semantics of a pNet (Ameur-Boulifa et al., JLAMP 2023, Definitions 5 and 6).
//!
//! A state is a tuple of states of the leaves; variables belong to the whole automaton. An open transition says
//! what the holes do, under which condition, what is shown outside, and how the variables change.

pub(crate) mod definitions;
mod movers;
mod names;

pub use movers::{Joining, Mover, Movers};
pub use names::{VariableNames, state_name, variable_names};

use std::sync::Arc;

use crate::algebra::{Algebra, TermId, Terms, VarId};
use crate::base::IndexVec;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{
    Hole, HoleId, LeafId, OriginId, Origins, PltsStateId, State, StateVariableId, TransitionPlace,
    VectorPlace,
};
use crate::tagged_id;

tagged_id! {
    /// A state of an automaton.
    StateId
}

impl StateId {
    /// The initial state: it comes first.
    pub const FIRST: StateId = StateId(0);
}

tagged_id! {
    /// An open transition of an automaton.
    TransitionId
}

/// An open automaton with everything it is made of.
#[derive(Clone, Debug)]
pub struct OpenAutomaton {
    /// Its name.
    pub name: Symbol,
    /// Sorts, constructors, operators and actions.
    pub algebra: Algebra,
    /// All terms.
    pub terms: Terms,
    /// The holes.
    pub holes: IndexVec<HoleId, Hole>,
    /// The leaves, in the order of the tuples.
    pub leaves: IndexVec<LeafId, Leaf>,
    /// The variables of all leaves.
    pub variables: IndexVec<StateVariableId, StateVariable>,
    /// The states, the initial one first, in the order in which they are reached.
    pub states: IndexVec<StateId, GlobalState>,
    /// The initial state.
    pub initial: StateId,
    /// The open transitions, ordered by their sources.
    pub transitions: IndexVec<TransitionId, OpenTransition>,
    /// Where everything comes from.
    pub origins: Origins,
    /// Who makes its steps.
    pub movers: Arc<Movers>,
}

/// A leaf of the hierarchy.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Its path from the root; empty when it is the root itself.
    pub path: String,
    /// Its states.
    pub states: IndexVec<PltsStateId, State>,
    /// Where it comes from.
    pub origin: OriginId,
}

/// A variable of an automaton.
#[derive(Clone, Debug)]
pub struct StateVariable {
    /// The variable.
    pub var: VarId,
    /// Its path: that of its leaf and its name.
    pub path: String,
    /// Its initial value; none when any value will do.
    pub initial: Option<TermId>,
    /// Where it is declared.
    pub text: Span,
}

/// A state: one of each leaf.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GlobalState {
    /// The states of the leaves.
    pub leaves: IndexVec<LeafId, PltsStateId>,
}

/// An open transition.
#[derive(Clone, Debug)]
pub struct OpenTransition {
    /// Where it starts.
    pub source: StateId,
    /// Where it ends.
    pub target: StateId,
    /// What the holes do that take part, ordered by hole.
    pub holes: Vec<(HoleId, TermId)>,
    /// When it can happen. What holes can do by their sorts, and ranges of variables, are understood.
    pub guard: TermId,
    /// What is shown outside.
    pub action: TermId,
    /// What changes, all at once, ordered by variable.
    pub updates: Vec<(VarId, TermId)>,
    /// What it was made of.
    pub used: Used,
}

/// What an open transition was made of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Used {
    /// The vectors; the innermost first.
    pub vectors: Vec<VectorPlace>,
    /// The transitions of leaves.
    pub transitions: Vec<TransitionPlace>,
}

impl Used {
    /// Puts everything into the order of the hierarchy: what is inside has the smaller numbers.
    pub(crate) fn sort(&mut self) {
        self.vectors.sort_unstable();
        self.transitions.sort_unstable();
    }
}

impl OpenAutomaton {
    /// The transitions that start in a state.
    pub fn from(&self, state: StateId) -> impl Iterator<Item = &OpenTransition> {
        let all = self.transitions.as_slice();
        let first = all.partition_point(|t| t.source < state);
        all[first..].iter().take_while(move |t| t.source == state)
    }

    /// What a state is called: the states of its leaves.
    pub fn state_name(&self, state: StateId) -> String {
        state_name(&self.leaves, &self.states[state])
    }
}
