//! Composition of open automata, `A[B/k]` (Definition 3 of the SEFM paper): a hole of one automaton is filled with
//! another automaton.
//!
//! A transition of the outer automaton in which the hole takes part synchronises with each transition of the inner
//! one whose result can be the hole's action; the others go on alone. Filling a hole of a net and composing the two
//! automata give the same automaton up to the order of leaves.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::ask::Asker;
use super::literal::reason;
use super::reach::{Edge, reachable};
use super::rules::{Because, Claim, Fact, Move, Open, sort_allows};
use super::solve::solve;
use super::{Options, Watch, is_open};
use crate::automaton::{
    GlobalState, Leaf, OpenAutomaton, OpenTransition, StateId, StateVariable, Used,
};
use crate::pnet::{Hole, HoleId, Imported, NodeId, TermId, Terms, VarId};
use crate::smt::Answer;

/// Fills a hole of an automaton with another one of the same program; nothing when there is no such hole.
pub fn compose(
    outer: &OpenAutomaton,
    hole: &str,
    inner: &OpenAutomaton,
    options: &Options,
    watch: &dyn Watch,
) -> Option<OpenAutomaton> {
    let filled = outer.holes.iter().position(|known| known.path == hole)?;
    let mut composer = Composer::new(outer, filled, inner);
    let open_world = is_open(&outer.holes) || is_open(&inner.holes);
    let mut asker = Asker::new(&outer.algebra, open_world, options, true);
    let (states, edges) = composer.explore(&mut asker, watch);
    let initial = composer.variables.iter().map(|v| (v.var, v.initial)).collect();
    let edges = reachable(&initial, &mut composer.terms, &mut asker, edges, options.refine, watch);
    Some(composer.assemble(&states, edges))
}

struct Composer<'a> {
    outer: &'a OpenAutomaton,
    filled: usize,
    terms: Terms,
    holes: Vec<Hole>,
    leaves: Vec<Leaf>,
    variables: Vec<StateVariable>,
    /// The transitions of the inner automaton, with its holes renumbered.
    inner: Vec<OpenTransition>,
    inner_states: Vec<GlobalState>,
}

impl<'a> Composer<'a> {
    fn new(outer: &'a OpenAutomaton, filled: usize, inner: &OpenAutomaton) -> Composer<'a> {
        let mut terms = outer.terms.clone();
        let mut done = Imported::default();
        let path = &outer.holes[filled].path;
        let below =
            |name: &str| if name.is_empty() { path.clone() } else { format!("{path}.{name}") };
        let mut holes: Vec<Hole> = outer.holes.clone();
        holes.remove(filled);
        let first = holes.len() as u32;
        holes.extend(
            inner.holes.iter().map(|hole| Hole { path: below(&hole.path), ..hole.clone() }),
        );
        let mut leaves = outer.leaves.clone();
        leaves.extend(
            inner.leaves.iter().map(|leaf| Leaf { path: below(&leaf.path), ..leaf.clone() }),
        );
        let mut variables = outer.variables.clone();
        let mut vars: FxHashMap<VarId, VarId> = FxHashMap::default();
        for variable in &inner.variables {
            let var = terms.import_var(&inner.terms, variable.var, &mut done);
            let initial =
                variable.initial.map(|value| terms.import(&inner.terms, value, &mut done));
            vars.insert(variable.var, var);
            variables.push(StateVariable {
                var,
                initial,
                path: below(&variable.path),
                text: variable.text,
            });
        }
        let mut take = |term: TermId| terms.import(&inner.terms, term, &mut done);
        let transitions = inner.transitions.iter().map(|transition| OpenTransition {
            holes: transition
                .holes
                .iter()
                .map(|&(hole, action)| (HoleId(hole.0 + first), take(action)))
                .collect(),
            guard: take(transition.guard),
            action: take(transition.action),
            updates: transition
                .updates
                .iter()
                .filter_map(|&(var, value)| Some((*vars.get(&var)?, take(value))))
                .collect(),
            // Vectors and transitions of another net have no numbers here.
            used: Used::default(),
            ..transition.clone()
        });
        let transitions = transitions.collect();
        let inner_states = inner.states.clone();
        Composer {
            outer,
            filled,
            terms,
            holes,
            leaves,
            variables,
            inner: transitions,
            inner_states,
        }
    }

    /// A hole of the outer automaton, by its new number; nothing for the one that is filled.
    fn renumbered(&self, hole: HoleId) -> Option<HoleId> {
        match (hole.0 as usize).cmp(&self.filled) {
            std::cmp::Ordering::Less => Some(hole),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(HoleId(hole.0 - 1)),
        }
    }

    /// What a transition of the outer automaton does, with one of the inner where the hole takes part.
    fn joined(&mut self, outer: &OpenTransition, inner: Option<&OpenTransition>) -> Open {
        let nobody = Because::Solved;
        let fact = |claim: Claim| Fact { claim, because: nobody };
        let mut facts = vec![fact(Claim::Holds(outer.guard))];
        let mut holes: Vec<(HoleId, TermId)> = Vec::new();
        let mut updates = outer.updates.clone();
        for &(hole, action) in &outer.holes {
            match (self.renumbered(hole), inner) {
                (Some(hole), _) => holes.push((hole, action)),
                (None, Some(inner)) => facts.push(fact(Claim::Same(inner.action, action))),
                (None, None) => {}
            }
        }
        if let Some(inner) = inner {
            facts.push(fact(Claim::Holds(inner.guard)));
            holes.extend(&inner.holes);
            updates.extend(&inner.updates);
        }
        holes.sort_by_key(|(hole, _)| *hole);
        updates.sort_by_key(|(var, _)| *var);
        Open {
            facts,
            holes,
            action: outer.action,
            updates,
            moves: Vec::new(),
            last: Move::Node(NodeId(0), 0),
            used: Used::default(),
        }
    }

    fn explore(
        &mut self,
        asker: &mut Asker<'_>,
        watch: &dyn Watch,
    ) -> (Vec<(StateId, StateId)>, Vec<Edge>) {
        let first = (self.outer.initial, StateId(0));
        let mut states = vec![first];
        let mut places: FxHashMap<(StateId, StateId), usize> = FxHashMap::default();
        places.insert(first, 0);
        let mut edges = Vec::new();
        let mut at = 0;
        while at < states.len() && !watch.stopped() {
            let (outer_state, inner_state) = states[at];
            let mut candidates: Vec<(Open, (StateId, StateId))> = Vec::new();
            let automaton = self.outer;
            for outer in automaton.from(outer_state) {
                let takes_part = outer.holes.iter().any(|(hole, _)| hole.0 as usize == self.filled);
                if !takes_part {
                    let open = self.joined(outer, None);
                    candidates.push((open, (outer.target, inner_state)));
                    continue;
                }
                let offers: Vec<OpenTransition> =
                    self.inner.iter().filter(|t| t.source == inner_state).cloned().collect();
                for inner in &offers {
                    let open = self.joined(outer, Some(inner));
                    candidates.push((open, (outer.target, inner.target)));
                }
            }
            for (open, target) in candidates {
                let Some(solved) = solve(&mut self.terms, &open) else { continue };
                let mut understood = Vec::new();
                for &(hole, action) in &solved.holes {
                    let sort = &self.holes[hole.0 as usize].sort;
                    understood.extend(sort_allows(&mut self.terms, sort, action));
                }
                let question: Vec<TermId> =
                    solved.conditions.iter().chain(&understood).copied().collect();
                let answer = asker.check(&mut self.terms, &question);
                if answer == Answer::Unsat {
                    continue;
                }
                let next = states.len();
                let place = *places.entry(target).or_insert(next);
                if place == next {
                    states.push(target);
                }
                edges.push(Edge {
                    source: at,
                    target: place,
                    solved: Rc::new(solved),
                    understood: Rc::new(understood),
                    unknown: reason(answer),
                });
            }
            at += 1;
            watch.progress(states.len(), edges.len(), asker.queries);
        }
        (states, edges)
    }

    fn assemble(mut self, states: &[(StateId, StateId)], edges: Vec<Edge>) -> OpenAutomaton {
        let mut numbers: FxHashMap<usize, u32> = FxHashMap::default();
        numbers.insert(0, 0);
        let mut reached = vec![0];
        let mut transitions = Vec::with_capacity(edges.len());
        let mut at = 0;
        while at < reached.len() {
            let here = reached[at];
            for edge in edges.iter().filter(|edge| edge.source == here) {
                let next = reached.len() as u32;
                let target = *numbers.entry(edge.target).or_insert(next);
                if target == next {
                    reached.push(edge.target);
                }
                transitions.push(OpenTransition {
                    source: StateId(at as u32),
                    target: StateId(target),
                    holes: edge.solved.holes.clone(),
                    guard: self.terms.and(edge.solved.conditions.iter().copied()),
                    action: edge.solved.action,
                    updates: edge.solved.updates.clone(),
                    used: Used::default(),
                });
            }
            at += 1;
        }
        let state = |place: &usize| {
            let (outer, inner) = states[*place];
            let outer = &self.outer.states[outer.index()].leaves;
            let inner = &self.inner_states[inner.index()].leaves;
            GlobalState { leaves: outer.iter().chain(inner).copied().collect() }
        };
        OpenAutomaton {
            name: self.outer.name,
            algebra: self.outer.algebra.clone(),
            states: reached.iter().map(state).collect(),
            initial: StateId(0),
            transitions,
            origins: self.outer.origins.clone(),
            terms: self.terms,
            holes: self.holes,
            leaves: self.leaves,
            variables: self.variables,
        }
    }
}
