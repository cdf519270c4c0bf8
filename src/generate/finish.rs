//! The last step: what was found is solved, what cannot be reached is left out, and the rest put into order.
//!
//! The order does not depend on the algorithm: states as they are reached from the initial one, transitions by
//! the vectors and transitions they were made of.

use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::explore::Explorable;
use super::reach::{Edge, reachable};
use super::rules::{Claim, Open, Rules};
use super::solve::{Solved, solve};
use super::{Counts, Found, Generated, Options, Watch};
use crate::algebra::{TermId, Terms};
use crate::automaton::definitions::initial_values;
use crate::automaton::{
    GlobalState, Leaf, Movers, OpenAutomaton, OpenTransition, StateId, StateVariable, TransitionId,
    Used,
};
use crate::base::budget::is_spent;
use crate::base::{Id, IndexVec};
use crate::pnet::{PNet, PltsId, PltsStates, StateVariableId, TransitionPlace, VectorPlace};
use crate::smt::Oracle;

/// An open transition solved, with what is understood of its holes; nothing where it is impossible.
type Done = Option<(Rc<Solved>, Rc<Vec<TermId>>)>;

/// Vectors, and transitions of leaves.
type Order = (Vec<VectorPlace>, Vec<TransitionPlace>);

pub(super) fn finish(
    mut rules: Rules<'_>,
    mut oracle: Oracle<'_>,
    found: Found,
    options: &Options,
    watch: &dyn Watch,
) -> Generated {
    let Found { states, moves, built, stopped } = found;
    let mut edges = Vec::with_capacity(moves.len());
    // The same open transition can start in many states.
    let mut known: FxHashMap<*const Open, Done> = FxHashMap::default();
    for Explorable { source, target, by: (open, unknown) } in &moves {
        let done = known.entry(Rc::as_ptr(open)).or_insert_with(|| {
            let solved = solve(&mut rules.terms, open)?;
            let facts = rules.holes_keep_to_sorts(&solved.holes);
            let understood = facts.iter().filter_map(|fact| match fact.claim {
                Claim::Holds(term) => Some(term),
                Claim::Same(..) => None,
            });
            Some((Rc::new(solved), Rc::new(understood.collect())))
        });
        if let Some((solved, understood)) = done {
            edges.push(Edge {
                source: *source,
                target: *target,
                solved: Rc::clone(solved),
                understood: Rc::clone(understood),
                unknown: unknown.clone(),
            });
        }
    }
    drop(moves);
    let edges = reachable(
        &initial_values(rules.net),
        &mut rules.terms,
        &mut oracle,
        edges,
        options.refine,
        watch,
    );
    let stopped = stopped || is_spent();
    let (automaton, unknown) = assemble(rules, &states, edges);
    let counts = Counts {
        states: automaton.states.len(),
        transitions: automaton.transitions.len(),
        removed: built - automaton.transitions.len().min(built),
        queries: oracle.queries,
        cache_hits: oracle.cache_hits(),
        unknown: unknown.len(),
    };
    let asked = oracle.asked.unwrap_or_default();
    Generated { automaton, counts, unknown, stopped, asked, composed: false }
}

/// The order of transitions that start in one state: by the vector of the root, then further inside.
fn order(used: &Used) -> Order {
    (used.vectors.iter().rev().copied().collect(), used.transitions.clone())
}

/// What was reached, as it is shown.
pub(super) struct InOrder {
    /// The states by their old numbers, each at its new place.
    pub reached: IndexSet<StateId, FxBuildHasher>,
    pub transitions: IndexVec<TransitionId, OpenTransition>,
    /// The transitions of which it is not known whether they are possible, and why.
    pub unknown: Vec<(TransitionId, String)>,
}

/// Transitions in the order of what they are made of, states in the order in which these reach them.
pub(super) fn in_order(terms: &mut Terms, mut edges: Vec<Edge>) -> InOrder {
    edges.sort_by_cached_key(|edge| (edge.source, order(&edge.solved.used), edge.target));
    let mut from: FxHashMap<StateId, Vec<usize>> = FxHashMap::default();
    for (place, edge) in edges.iter().enumerate() {
        from.entry(edge.source).or_default().push(place);
    }
    let mut reached = IndexSet::from_iter([StateId::FIRST]);
    let mut transitions: IndexVec<TransitionId, OpenTransition> = IndexVec::default();
    let mut unknown = Vec::new();
    let mut at = 0;
    while let Some(state) = reached.get_index(at) {
        for &place in from.get(state).into_iter().flatten() {
            let edge = &edges[place];
            let (target, _) = reached.insert_full(edge.target);
            let solved = &edge.solved;
            let made = transitions.push(OpenTransition {
                source: StateId::at(at),
                target: StateId::at(target),
                holes: solved.holes.clone(),
                guard: terms.and(solved.conditions.iter().copied()),
                action: solved.action,
                updates: solved.updates.clone(),
                used: solved.used.clone(),
            });
            if let Some(why) = &edge.unknown {
                unknown.push((made, why.clone()));
            }
        }
        at += 1;
    }
    InOrder { reached, transitions, unknown }
}

fn assemble(
    mut rules: Rules<'_>,
    states: &IndexVec<StateId, PltsStates>,
    edges: Vec<Edge>,
) -> (OpenAutomaton, Vec<(TransitionId, String)>) {
    let InOrder { reached, transitions, unknown } = in_order(&mut rules.terms, edges);
    let net = rules.net;
    let order = net.leaves();
    let state = |old: &StateId| GlobalState {
        leaves: order.iter().map(|(_, leaf)| states[*old][*leaf]).collect(),
    };
    // Whoever asks about the automaton adds terms of their own.
    rules.terms.freeze();
    let automaton = OpenAutomaton {
        name: net.name,
        algebra: net.algebra.clone(),
        holes: net.holes.clone(),
        variables: variables(net),
        leaves: order.iter().map(|(path, leaf)| leaf_of(net, path, *leaf)).collect(),
        states: reached.iter().map(state).collect(),
        initial: StateId(0),
        transitions,
        origins: net.origins.clone(),
        movers: Movers::of(net).into(),
        terms: rules.terms,
    };
    (automaton, unknown)
}

fn leaf_of(net: &PNet, path: &str, id: PltsId) -> Leaf {
    let plts = &net.plts[id];
    Leaf { path: path.to_owned(), states: plts.states.clone(), origin: plts.origin }
}

fn variables(net: &PNet) -> IndexVec<StateVariableId, StateVariable> {
    let mut all = IndexVec::default();
    for (path, id) in net.leaves() {
        let plts = &net.plts[id];
        for (&(var, initial), &text) in plts.variables.iter().zip(&plts.variable_texts) {
            let name = net.terms.var(var).name;
            let path = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
            all.push(StateVariable { var, path, initial, text });
        }
    }
    all
}
