//! What can be reached: states by transitions that are possible, and transitions by the values that variables can
//! have (Qin et al., "SMT-based generation of symbolic automata", sections 4.1 to 4.3).
//!
//! For each state and variable there are its reaching definitions: the expressions of the transitions that may have
//! assigned it last. A transition is kept if it is possible with one of these for each variable it asks about.
//! Removing a transition removes its assignments, so this goes on until nothing changes.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::literal::reason;
use super::solve::Solved;
use super::{Refine, Watch};
use crate::algebra::{TermId, Terms, VarId};
use crate::automaton::StateId;
use crate::automaton::definitions::{Flow, Initial, one_of, sources, state_vars};
use crate::base::budget::is_spent;
use crate::smt::{Answer, Oracle};

/// A transition between states that are numbered as they were found.
pub(super) struct Edge {
    pub source: StateId,
    pub target: StateId,
    pub solved: std::rc::Rc<Solved>,
    /// What is understood besides: what holes may do by their sorts.
    pub understood: std::rc::Rc<Vec<TermId>>,
    /// Why it is not known whether it is possible.
    pub unknown: Option<String>,
}

/// Leaves out what cannot be reached.
pub(super) fn reachable(
    initial: &Initial,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
    mut edges: Vec<Edge>,
    refine: Refine,
    watch: &dyn Watch,
) -> Vec<Edge> {
    keep_reachable(&mut edges);
    let mut rounds = match refine {
        Refine::None => 0,
        Refine::Once => 1,
        Refine::Full => usize::MAX,
    };
    while rounds > 0 && !is_spent() {
        rounds -= 1;
        let before = edges.len();
        remove_impossible(initial, terms, oracle, &mut edges, watch);
        keep_reachable(&mut edges);
        if edges.len() == before {
            break;
        }
    }
    edges
}

/// Keeps the transitions that start in a state that can be reached from the first one.
fn keep_reachable(edges: &mut Vec<Edge>) {
    let mut from: FxHashMap<StateId, Vec<StateId>> = FxHashMap::default();
    for edge in edges.iter() {
        from.entry(edge.source).or_default().push(edge.target);
    }
    let mut seen: FxHashSet<StateId> = FxHashSet::default();
    let mut work = vec![StateId::FIRST];
    while let Some(state) = work.pop() {
        if seen.insert(state) {
            work.extend(from.get(&state).into_iter().flatten());
        }
    }
    edges.retain(|edge| seen.contains(&edge.source));
}

fn remove_impossible(
    initial: &Initial,
    terms: &mut Terms,
    oracle: &mut Oracle<'_>,
    edges: &mut Vec<Edge>,
    watch: &dyn Watch,
) {
    let asked: Vec<VarId> = asked_about(terms, edges);
    if asked.is_empty() {
        return;
    }
    let flows: Vec<Flow<'_>> = edges.iter().map(flow).collect();
    let values = sources(initial, &flows, &asked);
    // Edges that start in one state ask about the same values.
    let mut ones: FxHashMap<(StateId, VarId), Option<TermId>> = FxHashMap::default();
    let mut questions: Vec<Vec<TermId>> = Vec::new();
    let mut places: Vec<usize> = Vec::new();
    for (place, edge) in edges.iter().enumerate() {
        if is_spent() {
            return;
        }
        let mut conditions = edge.solved.conditions.clone();
        let mut limited = false;
        for &var in state_vars(terms, &edge.solved.conditions).iter() {
            let place = (edge.source, var);
            let one = *ones
                .entry(place)
                .or_insert_with(|| values.get(&place).and_then(|known| one_of(terms, var, known)));
            if let Some(one) = one {
                conditions.push(one);
                limited = true;
            }
        }
        if limited {
            conditions.extend(edge.understood.iter());
            questions.push(conditions);
            places.push(place);
        }
    }
    let answers = oracle.check_all(terms, questions);
    watch.progress(0, edges.len(), oracle.queries);
    let mut gone: FxHashSet<usize> = FxHashSet::default();
    for (place, answer) in places.into_iter().zip(answers) {
        if answer == Answer::Unsat {
            gone.insert(place);
        } else if let Some(why) = reason(answer) {
            edges[place].unknown = Some(why);
        }
    }
    let mut place = 0;
    edges.retain(|_| {
        place += 1;
        !gone.contains(&(place - 1))
    });
}

/// The variables of the state that some condition speaks of.
fn asked_about(terms: &Terms, edges: &[Edge]) -> Vec<VarId> {
    let mut all: BTreeSet<VarId> = BTreeSet::new();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    for edge in edges {
        let new: Vec<TermId> =
            edge.solved.conditions.iter().copied().filter(|&c| seen.insert(c)).collect();
        all.extend(state_vars(terms, &new));
    }
    all.into_iter().collect()
}

fn flow(edge: &Edge) -> Flow<'_> {
    Flow { source: edge.source, target: edge.target, updates: &edge.solved.updates }
}
