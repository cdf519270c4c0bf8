//! What a part can do in the states that are reached, as the rules say, with all facts.

use std::rc::Rc;

use itertools::Itertools;
use rustc_hash::FxHashMap;

use super::Reviewer;
use crate::algebra::TermId;
use crate::generate::rules::{Claim, Fact, Open};
use crate::generate::solve::solve;
use crate::pnet::{
    Content, PartId, PltsId, PltsStateId, PltsStates, PltsTransitionId, VectorPlace,
};
use crate::smt::Answer;

/// With more ways than this to put a vector together, only the first ones are looked at.
const MOST_COMBINATIONS: usize = 2000;

/// The states of a part's leaves.
type LeafStates = Box<[PltsStateId]>;

/// What is known already, by part and the states of its leaves.
#[derive(Default)]
pub(super) struct Offers {
    known: FxHashMap<(Content, LeafStates), Rc<Vec<Open>>>,
    leaves: FxHashMap<Content, Rc<Vec<PltsId>>>,
}

impl Reviewer<'_> {
    /// The leaves inside a part.
    pub fn leaves_of(&mut self, content: Content) -> Rc<Vec<PltsId>> {
        if let Some(known) = self.offers.leaves.get(&content) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        let mut work = vec![content];
        while let Some(content) = work.pop() {
            match content {
                Content::Hole(_) => {}
                Content::Leaf(leaf) => found.push(leaf),
                Content::Node(node) => {
                    let parts = &self.rules.net.nodes[node].parts;
                    work.extend(parts.iter().map(|part| part.content));
                }
            }
        }
        found.sort_unstable();
        let found = Rc::new(found);
        self.offers.leaves.insert(content, Rc::clone(&found));
        found
    }

    /// The states that a part is reached in, each once, as states of all leaves.
    pub fn local_states(&mut self, content: Content) -> Vec<PltsStates> {
        let leaves = self.leaves_of(content);
        let mut seen = rustc_hash::FxHashSet::default();
        let key =
            |state: &PltsStates| leaves.iter().map(|&leaf| state[leaf]).collect::<LeafStates>();
        self.states.iter().filter(|state| seen.insert(key(state))).cloned().collect()
    }

    /// What a part can do in a state: what is impossible already in the part itself is left out.
    pub fn offers(&mut self, content: Content, state: &PltsStates) -> Rc<Vec<Open>> {
        let leaves = self.leaves_of(content);
        let key = (content, leaves.iter().map(|&leaf| state[leaf]).collect::<LeafStates>());
        if let Some(known) = self.offers.known.get(&key) {
            return Rc::clone(known);
        }
        let all = match content {
            Content::Hole(_) => Vec::new(),
            Content::Leaf(leaf) => {
                let transitions = &self.rules.net.plts[leaf].transitions;
                let here = transitions.enumerated().filter(|(_, t)| t.source == state[leaf]);
                let numbers: Vec<PltsTransitionId> = here.map(|(number, _)| number).collect();
                numbers.into_iter().map(|number| self.rules.leaf(leaf, number)).collect()
            }
            Content::Node(node) => {
                let vectors = self.rules.net.nodes[node].vectors.ids();
                vectors
                    .flat_map(|number| self.combinations((node, number), state, |_, _| true))
                    .collect()
            }
        };
        let possible: Vec<Open> =
            all.into_iter().filter(|open| self.is_possible(open) != Answer::Unsat).collect();
        let possible = Rc::new(possible);
        self.offers.known.insert(key, Rc::clone(&possible));
        possible
    }

    /// All ways to put a vector together in a state, from moves of its members that `wanted` lets through.
    pub fn combinations(
        &mut self,
        (node, number): VectorPlace,
        state: &PltsStates,
        wanted: impl Fn(PartId, &Open) -> bool,
    ) -> Vec<Open> {
        let net = self.rules.net;
        let composite = &net.nodes[node];
        let vector = &composite.vectors[number];
        let members: Vec<_> = self.rules.inner_members(node, &vector.members).collect();
        let mut choices: Vec<Vec<Open>> = Vec::with_capacity(members.len());
        for member in &members {
            let offers = self.offers(composite.parts[member.part].content, state);
            let fitting = offers.iter().filter(|open| wanted(member.part, open));
            let fitting: Vec<Open> =
                fitting.filter(|open| self.fits(open.action, member.action)).cloned().collect();
            if fitting.is_empty() {
                return Vec::new();
            }
            choices.push(fitting);
        }
        let rivals = vector.rivals.iter().flat_map(|rival| &rival.members);
        let parts: std::collections::BTreeSet<PartId> = rivals.map(|member| member.part).collect();
        let mut rival_offers: FxHashMap<PartId, Rc<Vec<Open>>> = FxHashMap::default();
        for part in parts {
            let offers = self.offers(composite.parts[part].content, state);
            rival_offers.insert(part, offers);
        }
        let conditions = crate::generate::blocked(&mut self.rules, (node, number), &|part| {
            rival_offers.get(&part).map(|offers| offers.iter().collect()).unwrap_or_default()
        });
        let combinations = choices.iter().map(|choice| choice.iter()).multi_cartesian_product();
        let made = combinations
            .take(MOST_COMBINATIONS)
            .map(|moves| self.rules.node(node, number, moves, &conditions));
        made.collect()
    }

    /// Whether an action could be the one that a member is asked for, whatever else must hold.
    pub fn fits(&self, action: TermId, wanted: TermId) -> bool {
        crate::algebra::can_be_same(&self.rules.terms, action, wanted)
    }

    /// Whether an open transition is possible, without looking at the values of variables.
    pub fn is_possible(&mut self, open: &Open) -> Answer {
        let Some(solved) = solve(&mut self.rules.terms, open) else { return Answer::Unsat };
        let mut conditions = solved.conditions;
        let sorts = self.rules.holes_keep_to_sorts(&solved.holes);
        conditions.extend(sorts.iter().map(|fact| self.claim(fact)));
        if conditions.is_empty() {
            return Answer::Sat;
        }
        self.oracle.check(&mut self.rules.terms, &conditions)
    }

    /// What a fact claims, as a term.
    pub fn claim(&mut self, fact: &Fact) -> TermId {
        match fact.claim {
            Claim::Same(a, b) => self.rules.terms.equal(a, b),
            Claim::Holds(term) => term,
        }
    }
}
