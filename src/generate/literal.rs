//! Algorithms 1, 2 and 3 of Qin et al., "SMT-based generation of symbolic automata", to the letter: every combination
//! of moves whose active members fit a vector is built and counted, for each global state anew, and each is put to
//! the solver as it was built.
//!
//! They are here so that the paper's figures can be reproduced, and that `fast` can be tested against them.

use std::rc::Rc;

use itertools::Itertools;

use super::explore::{self, Explorable, Explored, InLayer, Layer, Successors};
use super::priority::blocked;
use super::rules::{Claim, Open, Rules};
use super::{Algorithm, Found, Watch};
use crate::algebra::TermId;
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::pnet::{Content, NodeId, PartId, PltsStates, PltsTransitionId};
use crate::smt::Answer;
use crate::smt::Oracle;

/// Explores with Algorithm 1 (`naive`) or 3 (`smart`).
pub(super) fn explore<'n>(
    rules: &mut Rules<'n>,
    oracle: &mut Oracle<'n>,
    algorithm: Algorithm,
    watch: &dyn Watch,
) -> Found {
    let initial: PltsStates = rules.net.plts.iter().map(|plts| plts.initial).collect();
    let mut literal = Literal { rules, oracle, algorithm, built: 0 };
    let Explored { states, mut moves, stopped } = explore::explore(initial, &mut literal, watch);
    if algorithm == Algorithm::Naive {
        moves = literal.possible(moves, states.len(), watch);
    }
    let moves = moves.into_iter().map(|one| one.map(|(open, unknown)| (Rc::new(open), unknown)));
    Found {
        states: states.into_iter().collect(),
        moves: moves.collect(),
        built: literal.built,
        stopped,
    }
}

struct Literal<'a, 'n> {
    rules: &'a mut Rules<'n>,
    oracle: &'a mut Oracle<'n>,
    algorithm: Algorithm,
    built: usize,
}

/// An open transition, and why it is not known whether it is possible.
type Built = (Open, Option<String>);

impl Successors for Literal<'_, '_> {
    type State = PltsStates;
    type Move = Built;

    fn from(&mut self, layer: &Layer<PltsStates>, at: InLayer) -> Vec<(PltsStates, Built)> {
        let state = &layer[at];
        let mut found = Vec::new();
        let root = self.rules.net.root;
        for open in make_transitions(self.rules, root, state) {
            if is_spent() {
                break;
            }
            self.built += 1;
            let answer = match self.algorithm {
                // Algorithm 1 asks when everything is built.
                Algorithm::Naive => Answer::Sat,
                _ => satisfiable(self.rules, self.oracle, &open),
            };
            if answer != Answer::Unsat {
                let mut target = state.clone();
                open.moves.iter().for_each(|&(leaf, to)| target[leaf] = to);
                found.push((target, (open, reason(answer))));
            }
        }
        found
    }

    fn queries(&self) -> usize {
        self.oracle.queries
    }
}

impl Literal<'_, '_> {
    /// Of what was built, what is possible.
    fn possible(
        &mut self,
        moves: Vec<Explorable<Built>>,
        states: usize,
        watch: &dyn Watch,
    ) -> Vec<Explorable<Built>> {
        let mut kept = Vec::with_capacity(moves.len());
        for mut one in moves {
            if is_spent() {
                // What was not asked about is not known to be possible.
                break;
            }
            let answer = satisfiable(self.rules, self.oracle, &one.by.0);
            if answer != Answer::Unsat {
                one.by.1 = reason(answer);
                kept.push(one);
            }
            watch.progress(states, kept.len(), self.oracle.queries);
        }
        kept
    }
}

pub(super) fn reason(answer: Answer) -> Option<String> {
    match answer {
        Answer::Unknown(why) => Some(why),
        _ => None,
    }
}

/// Puts an open transition to the solver as it was built.
fn satisfiable(rules: &mut Rules<'_>, oracle: &mut Oracle<'_>, open: &Open) -> Answer {
    let mut conditions: Vec<TermId> = Vec::with_capacity(open.facts.len());
    let sorts = rules.holes_keep_to_sorts(&open.holes);
    for fact in open.facts.iter().chain(&sorts) {
        conditions.push(match fact.claim {
            Claim::Same(a, b) => rules.terms.equal(a, b),
            Claim::Holds(term) => term,
        });
    }
    oracle.check(&mut rules.terms, &conditions)
}

/// Algorithm 2: all open transitions of a part in a global state.
fn make_transitions(rules: &mut Rules<'_>, content: Content, state: &PltsStates) -> Vec<Open> {
    match content {
        Content::Hole(_) => Vec::new(),
        Content::Leaf(leaf) => {
            let transitions = &rules.net.plts[leaf].transitions;
            let here = state[leaf];
            let enabled = transitions.enumerated().filter(|(_, t)| t.source == here);
            let enabled: Vec<PltsTransitionId> = enabled.map(|(number, _)| number).collect();
            enabled.into_iter().map(|number| rules.leaf(leaf, number)).collect()
        }
        Content::Node(node) => node_transitions(rules, node, state),
    }
}

fn node_transitions(rules: &mut Rules<'_>, node: NodeId, state: &PltsStates) -> Vec<Open> {
    let composite = &rules.net.nodes[node];
    let offers: IndexVec<PartId, Vec<Open>> =
        composite.parts.iter().map(|part| make_transitions(rules, part.content, state)).collect();
    let mut made = Vec::new();
    for (number, vector) in composite.vectors.enumerated() {
        let members: Vec<PartId> =
            rules.inner_members(node, &vector.members).map(|member| member.part).collect();
        if members.iter().any(|&part| offers[part].is_empty()) {
            continue;
        }
        let conditions = blocked(rules, (node, number), &|part| offers[part].iter().collect());
        let choices = members.iter().map(|&part| &offers[part]);
        for moves in choices.multi_cartesian_product().take_while(|_| !is_spent()) {
            made.push(rules.node(node, number, moves, &conditions));
        }
    }
    made
}
