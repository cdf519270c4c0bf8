//! Algorithms 1, 2 and 3 of "SMT-Based Generation of Symbolic Automata", to the letter: every combination of
//! moves whose active members fit a vector is built and counted, for each global state anew, and each is put to
//! the solver as it was built.
//!
//! They are here so that the paper's figures can be reproduced, and that `fast` can be tested against them.

use rustc_hash::FxHashMap;

use super::ask::Asker;
use super::digits::next;
use super::priority::blocked;
use super::rules::{Claim, Open, Rules};
use super::{Algorithm, Explored, Found, Watch};
use crate::algebra::TermId;
use crate::base::budget::is_spent;
use crate::pnet::{Content, NodeId};
use crate::smt::Answer;

/// Explores with Algorithm 1 (`naive`) or 3 (`smart`).
pub(super) fn explore(
    rules: &mut Rules<'_>,
    asker: &mut Asker<'_>,
    algorithm: Algorithm,
    watch: &dyn Watch,
) -> Explored {
    let initial: Box<[u32]> = rules.net.plts.iter().map(|plts| plts.initial as u32).collect();
    let mut explored = Explored::new(initial.clone());
    let mut places: FxHashMap<Box<[u32]>, usize> = FxHashMap::default();
    places.insert(initial, 0);
    let mut at = 0;
    while at < explored.states.len() {
        if is_spent() {
            explored.stopped = true;
            break;
        }
        let state = explored.states[at].clone();
        let root = rules.net.root;
        for open in make_transitions(rules, root, &state) {
            if is_spent() {
                break;
            }
            explored.built += 1;
            let answer = match algorithm {
                // Algorithm 1 asks when everything is built.
                Algorithm::Naive => Answer::Sat,
                _ => satisfiable(rules, asker, &open),
            };
            if answer == Answer::Unsat {
                continue;
            }
            let mut target = state.clone();
            open.moves.iter().for_each(|&(leaf, to)| target[leaf.0 as usize] = to);
            let next = explored.states.len();
            let target_place = *places.entry(target.clone()).or_insert(next);
            if target_place == next {
                explored.states.push(target);
            }
            let unknown = reason(answer);
            explored.found.push(Found {
                source: at,
                target: target_place,
                open: open.into(),
                unknown,
            });
        }
        at += 1;
        watch.progress(explored.states.len(), explored.found.len(), asker.queries);
    }
    if algorithm == Algorithm::Naive {
        let mut kept = Vec::with_capacity(explored.found.len());
        for mut found in std::mem::take(&mut explored.found) {
            if is_spent() {
                // What was not asked about is not known to be possible.
                break;
            }
            let answer = satisfiable(rules, asker, &found.open);
            if answer != Answer::Unsat {
                found.unknown = reason(answer);
                kept.push(found);
            }
            watch.progress(explored.states.len(), kept.len(), asker.queries);
        }
        explored.found = kept;
    }
    explored
}

pub(super) fn reason(answer: Answer) -> Option<String> {
    match answer {
        Answer::Unknown(why) => Some(why),
        _ => None,
    }
}

/// Puts an open transition to the solver as it was built.
fn satisfiable(rules: &mut Rules<'_>, asker: &mut Asker<'_>, open: &Open) -> Answer {
    let mut conditions: Vec<TermId> = Vec::with_capacity(open.facts.len());
    let sorts = rules.holes_keep_to_sorts(&open.holes);
    for fact in open.facts.iter().chain(&sorts) {
        conditions.push(match fact.claim {
            Claim::Same(a, b) => rules.terms.equal(a, b),
            Claim::Holds(term) => term,
        });
    }
    asker.check(&mut rules.terms, &conditions)
}

/// Algorithm 2: all open transitions of a part in a global state.
fn make_transitions(rules: &mut Rules<'_>, content: Content, state: &[u32]) -> Vec<Open> {
    match content {
        Content::Hole(_) => Vec::new(),
        Content::Leaf(leaf) => {
            let transitions = &rules.net.plts[leaf.0 as usize].transitions;
            let here = state[leaf.0 as usize] as usize;
            let enabled = transitions.iter().enumerate().filter(|(_, t)| t.source == here);
            let enabled: Vec<usize> = enabled.map(|(number, _)| number).collect();
            enabled.into_iter().map(|number| rules.leaf(leaf, number)).collect()
        }
        Content::Node(node) => node_transitions(rules, node, state),
    }
}

fn node_transitions(rules: &mut Rules<'_>, node: NodeId, state: &[u32]) -> Vec<Open> {
    let composite = &rules.net.nodes[node.0 as usize];
    let offers: Vec<Vec<Open>> =
        composite.parts.iter().map(|part| make_transitions(rules, part.content, state)).collect();
    let mut made = Vec::new();
    for (number, vector) in composite.vectors.iter().enumerate() {
        let members: Vec<usize> =
            rules.inner_members(node, &vector.members).map(|member| member.part).collect();
        if members.iter().any(|&part| offers[part].is_empty()) {
            continue;
        }
        let conditions = blocked(rules, (node, number), &|part| offers[part].iter().collect());
        // The combinations, counted like the digits of a number.
        let mut digits = vec![0usize; members.len()];
        loop {
            let moves = members.iter().zip(&digits).map(|(&part, &digit)| &offers[part][digit]);
            made.push(rules.node(node, number, moves, &conditions));
            if is_spent() || !next(&mut digits, |place| offers[members[place]].len()) {
                break;
            }
        }
    }
    made
}
