//! Composition of open automata, `A[B/k]` (Ameur-Boulifa et al., SEFM, Definition 3): a hole of one automaton is
//! filled with another automaton.
//!
//! A transition of the outer automaton in which the hole takes part synchronises with each transition of the inner
//! one whose result can be the hole's action; the others go on alone. Filling a hole of a net and composing the two
//! automata give the same automaton: leaves, variables and holes of the inner one stand where the hole stood.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::explore::{Explorable, Explored, InLayer, Layer, Successors, explore};
use super::finish::{InOrder, in_order};
use super::literal::reason;
use super::reach::{Edge, reachable};
use super::rules::{Because, Claim, Fact, Move, Open};
use super::solve::{Solved, solve};
use super::{Counts, Generated, Options, Watch};
use crate::algebra::{Algebra, ImportMap, TermId, Terms, VarId};
use crate::automaton::{
    GlobalState, Leaf, OpenAutomaton, OpenTransition, StateId, StateVariable, TransitionId,
};
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::pnet::{
    Hole, HoleId, HoleSort, LeafId, NodeId, Place, StateVariableId, VectorId, path_inside,
};
use crate::pnet::{is_open, sort_allows};
use crate::smt::Answer;
use crate::smt::Oracle;

/// What fills a hole of an automaton.
#[derive(Clone, Debug)]
pub struct Filling<'a> {
    /// The hole.
    pub hole: HoleId,
    /// Where it stands.
    pub place: Place,
    /// What fills it: an automaton of the same program. Its holes have the names that they are to have in the whole.
    pub with: &'a OpenAutomaton,
}

/// Why two automata were not composed.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum Misfit {
    /// There is no such hole.
    #[error("there is no such hole")]
    NoHole,
    /// What fills the hole with this path may do what the hole's sort does not allow: the outer automaton knows
    /// nothing of it.
    #[error("what fills `{0}` may do what the hole does not allow")]
    Sort(String),
}

/// Fills a hole of an automaton with another one.
pub fn compose(
    outer: &OpenAutomaton,
    filling: &Filling<'_>,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Generated, Misfit> {
    let hole = outer.holes.get(filling.hole).ok_or(Misfit::NoHole)?;
    let mut composer = Composer::new(outer, filling);
    let mut oracle = Oracle::new(&outer.algebra, is_open(&composer.holes), options.asking());
    if !composer.fits(hole, &mut oracle) {
        return Err(Misfit::Sort(hole.path.clone()));
    }
    let first = (outer.initial, filling.with.initial);
    let mut joining =
        Joining { composer: &mut composer, oracle: &mut oracle, built: 0, layer: Layer::default() };
    let Explored { states, moves, .. } = explore(first, &mut joining, watch);
    let built = joining.built;
    let edges = moves.into_iter().map(|Explorable { source, target, by }| {
        let Possible { solved, understood, unknown } = by;
        let (solved, understood) = (Rc::new(solved), Rc::new(understood));
        Edge { source, target, solved, understood, unknown }
    });
    let edges = edges.collect();
    let initial = composer.variables.iter().map(|v| (v.var, v.initial)).collect();
    let edges = reachable(&initial, &mut composer.terms, &mut oracle, edges, options.refine, watch);
    let InOrder { reached, transitions, unknown } = in_order(&mut composer.terms, edges);
    let states =
        reached.iter().map(|&at| composer.state(states[at.index()], outer, filling)).collect();
    let counts = Counts {
        states: reached.len(),
        transitions: transitions.len(),
        removed: built - transitions.len().min(built),
        queries: oracle.queries,
        cache_hits: oracle.cache_hits(),
        unknown: unknown.len(),
    };
    composer.terms.freeze();
    let automaton = OpenAutomaton {
        name: outer.name,
        algebra: outer.algebra.clone(),
        states,
        initial: StateId(0),
        transitions,
        origins: outer.origins.clone(),
        movers: outer.movers.clone(),
        terms: composer.terms,
        holes: composer.holes,
        leaves: composer.leaves,
        variables: composer.variables,
    };
    let asked = oracle.asked.unwrap_or_default();
    Ok(Generated { automaton, counts, unknown, stopped: is_spent(), asked, composed: true })
}

/// A pair of states: one of the outer automaton, and one of the inner.
type Pair = (StateId, StateId);

/// A transition that was built in a state of a layer: what it does, and where it ends.
type Built = (InLayer, Open, Pair);

/// A transition that seems possible.
struct Possible {
    solved: Solved,
    /// What is understood of its holes.
    understood: Vec<TermId>,
    /// Why it is not known whether it is possible.
    unknown: Option<String>,
}

/// Joins transitions of the two, the questions of a layer together.
struct Joining<'c, 'a, 'n> {
    composer: &'c mut Composer<'a>,
    oracle: &'c mut Oracle<'n>,
    /// How many transitions were built, possible or not.
    built: usize,
    /// What is possible in the states of the layer.
    layer: Layer<Vec<(Pair, Possible)>>,
}

impl Successors for Joining<'_, '_, '_> {
    type State = Pair;
    type Move = Possible;

    fn from(&mut self, layer: &Layer<Pair>, at: InLayer) -> Vec<(Pair, Possible)> {
        if at == InLayer::FIRST {
            let mut built = Vec::new();
            for (place, &state) in layer.enumerated() {
                if is_spent() {
                    break;
                }
                self.composer.built(place, state, &mut built);
            }
            self.built += built.len();
            self.layer = layer.iter().map(|_| Vec::new()).collect();
            for (place, target, one) in self.composer.possible(built, self.oracle) {
                self.layer[place].push((target, one));
            }
        }
        std::mem::take(&mut self.layer[at])
    }

    fn queries(&self) -> usize {
        self.oracle.queries
    }
}

struct Composer<'a> {
    algebra: &'a Algebra,
    filled: HoleId,
    terms: Terms,
    holes: IndexVec<HoleId, Hole>,
    leaves: IndexVec<LeafId, Leaf>,
    variables: IndexVec<StateVariableId, StateVariable>,
    /// The place of each variable among them.
    places: FxHashMap<VarId, StateVariableId>,
    /// The transitions of the outer automaton, with terms of this one; its holes have their old numbers.
    outer: IndexVec<TransitionId, OpenTransition>,
    inner: IndexVec<TransitionId, OpenTransition>,
    /// How many holes the inner automaton has.
    more: u32,
}

impl<'a> Composer<'a> {
    fn new(outer: &'a OpenAutomaton, filling: &Filling<'_>) -> Composer<'a> {
        let (inner, place) = (filling.with, &filling.place);
        // In a filled net, what is inside comes before what is around it: variables too, of which the older stay.
        let mut terms = inner.terms.clone();
        let mut done = ImportMap::default();
        let mut variables: IndexVec<StateVariableId, StateVariable> = IndexVec::default();
        for variable in &outer.variables {
            let var = terms.import_var(&outer.terms, variable.var, &mut done);
            let initial =
                variable.initial.map(|value| terms.import(&outer.terms, value, &mut done));
            variables.push(StateVariable { var, initial, ..variable.clone() });
        }
        let below = |path: &str| path_inside(&place.path, path);
        let put = |variable: &StateVariable| StateVariable {
            path: below(&variable.path),
            ..variable.clone()
        };
        variables.replace(place.variable..place.variable, inner.variables.iter().map(put));
        let mut leaves = outer.leaves.clone();
        let put = |leaf: &Leaf| Leaf { path: below(&leaf.path), ..leaf.clone() };
        leaves.replace(place.leaf..place.leaf, inner.leaves.iter().map(put));
        let mut holes = outer.holes.clone();
        holes.replace(filling.hole..HoleId(filling.hole.0 + 1), inner.holes.iter().cloned());
        let transitions = outer.transitions.iter().map(|transition| OpenTransition {
            holes: transition
                .holes
                .iter()
                .map(|&(hole, action)| (hole, terms.import(&outer.terms, action, &mut done)))
                .collect(),
            guard: terms.import(&outer.terms, transition.guard, &mut done),
            action: terms.import(&outer.terms, transition.action, &mut done),
            updates: transition
                .updates
                .iter()
                .map(|&(var, value)| {
                    let var = terms.import_var(&outer.terms, var, &mut done);
                    (var, terms.import(&outer.terms, value, &mut done))
                })
                .collect(),
            ..transition.clone()
        });
        let transitions = transitions.collect();
        Composer {
            filled: filling.hole,
            holes,
            leaves,
            places: variables.enumerated().map(|(at, v)| (v.var, at)).collect(),
            variables,
            outer: transitions,
            inner: inner.transitions.clone(),
            more: inner.holes.len() as u32,
            algebra: &outer.algebra,
            terms,
        }
    }

    /// Whether the inner automaton does only what the hole allows. (The outer one says nothing about the rest.)
    fn fits(&mut self, hole: &Hole, oracle: &mut Oracle<'_>) -> bool {
        if hole.sort == HoleSort::Any {
            return true;
        }
        let mut questions = Vec::new();
        for transition in &self.inner {
            let Some(allowed) =
                sort_allows(self.algebra, &mut self.terms, &hole.sort, transition.action)
            else {
                continue;
            };
            let mut question = vec![transition.guard, self.terms.not(allowed)];
            for &(inner, action) in &transition.holes {
                let sort = &self.holes[self.inner_hole(inner)].sort;
                question.extend(sort_allows(self.algebra, &mut self.terms, sort, action));
            }
            questions.push(question);
        }
        let answers = oracle.check_all(&mut self.terms, questions);
        answers.iter().all(|answer| *answer == Answer::Unsat)
    }

    /// A hole of the inner automaton, by its new number.
    fn inner_hole(&self, hole: HoleId) -> HoleId {
        HoleId(hole.0 + self.filled.0)
    }

    /// A hole of the outer automaton, by its new number; nothing for the one that is filled.
    fn renumbered(&self, hole: HoleId) -> Option<HoleId> {
        match hole.cmp(&self.filled) {
            std::cmp::Ordering::Less => Some(hole),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(HoleId(hole.0 + self.more - 1)),
        }
    }

    /// What a transition of the outer automaton does, with one of the inner where the hole takes part.
    fn joined(&self, outer: &OpenTransition, inner: Option<&OpenTransition>) -> Open {
        let fact = |claim: Claim| Fact { claim, because: Because::Solved };
        let mut facts = Vec::new();
        let mut holes: Vec<(HoleId, TermId)> = Vec::new();
        let mut updates = outer.updates.clone();
        let mut used = outer.used.clone();
        if let Some(inner) = inner {
            facts.push(fact(Claim::Holds(inner.guard)));
            let renumbered = |&(hole, action): &(HoleId, TermId)| (self.inner_hole(hole), action);
            holes.extend(inner.holes.iter().map(renumbered));
            updates.extend(&inner.updates);
            used.vectors.extend(&inner.used.vectors);
            used.transitions.extend(&inner.used.transitions);
        }
        for &(hole, action) in &outer.holes {
            match (self.renumbered(hole), inner) {
                (Some(hole), _) => holes.push((hole, action)),
                (None, Some(inner)) => facts.push(fact(Claim::Same(inner.action, action))),
                (None, None) => {}
            }
        }
        facts.push(fact(Claim::Holds(outer.guard)));
        holes.sort_by_key(|(hole, _)| *hole);
        updates.sort_by_key(|(var, _)| self.places.get(var).copied());
        used.sort();
        Open {
            facts,
            holes,
            action: outer.action,
            updates,
            moves: Vec::new(),
            last: Move::Node(NodeId(0), VectorId(0)),
            used,
        }
    }

    /// Everything that can be built in a pair of states.
    fn built(&self, at: InLayer, state: Pair, built: &mut Vec<Built>) {
        for outer in from(&self.outer, state.0) {
            let takes_part = outer.holes.iter().any(|(hole, _)| *hole == self.filled);
            if !takes_part {
                built.push((at, self.joined(outer, None), (outer.target, state.1)));
                continue;
            }
            for inner in from(&self.inner, state.1) {
                let open = self.joined(outer, Some(inner));
                built.push((at, open, (outer.target, inner.target)));
            }
        }
    }

    /// Those that are possible, each with the place of the state that it starts in, and the one that it leads to.
    fn possible(
        &mut self,
        built: Vec<Built>,
        oracle: &mut Oracle<'_>,
    ) -> Vec<(InLayer, Pair, Possible)> {
        let mut found = Vec::with_capacity(built.len());
        let mut questions = Vec::with_capacity(built.len());
        for (source, open, target) in built {
            if is_spent() {
                break;
            }
            let Some(solved) = solve(&mut self.terms, &open) else { continue };
            let mut understood = Vec::new();
            for &(hole, action) in &solved.holes {
                let sort = &self.holes[hole].sort;
                understood.extend(sort_allows(self.algebra, &mut self.terms, sort, action));
            }
            questions.push(solved.conditions.iter().chain(&understood).copied().collect());
            found.push((source, target, Possible { solved, understood, unknown: None }));
        }
        let answers = oracle.check_all(&mut self.terms, questions);
        let mut kept = Vec::with_capacity(found.len());
        for ((source, target, one), answer) in found.into_iter().zip(answers) {
            if answer != Answer::Unsat {
                kept.push((source, target, Possible { unknown: reason(answer), ..one }));
            }
        }
        kept
    }

    /// A pair of states as one.
    fn state(
        &self,
        (one, other): (StateId, StateId),
        outer: &OpenAutomaton,
        filling: &Filling<'_>,
    ) -> GlobalState {
        let mut leaves = outer.states[one].leaves.clone();
        let inner = filling.with.states[other].leaves.iter().copied();
        leaves.replace(filling.place.leaf..filling.place.leaf, inner);
        GlobalState { leaves }
    }
}

/// The transitions that start in a state.
fn from(transitions: &IndexVec<TransitionId, OpenTransition>, state: StateId) -> &[OpenTransition] {
    let transitions = transitions.as_slice();
    let first = transitions.partition_point(|transition| transition.source < state);
    let last = transitions.partition_point(|transition| transition.source <= state);
    &transitions[first..last]
}
