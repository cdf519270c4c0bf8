//! What was ever used.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use super::Compiled;
use super::rule::Way;
use crate::base::Id;
use crate::pnet::{PltsId, PltsStateId, TransitionPlace, VectorPlace};

/// What was used in all steps that were asked for so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// The vectors that took part.
    pub vectors: BTreeSet<VectorPlace>,
    /// The transitions that were made.
    pub transitions: BTreeSet<TransitionPlace>,
    /// The states in which leaves were.
    pub states: BTreeSet<(PltsId, PltsStateId)>,
}

/// What a number in a list of what was used is about.
const VECTOR: u32 = 0;
const TRANSITION: u32 = 1;
const STATE: u32 = 2;

fn pair<A: Id, B: Id>(kind: u32, (a, b): (A, B)) -> [u32; 3] {
    [kind, a.place() as u32, b.place() as u32]
}

impl Coverage {
    /// The same as numbers, which mean the same wherever the net is.
    pub fn numbers(&self) -> Vec<[u32; 3]> {
        let vectors = self.vectors.iter().map(|&place| pair(VECTOR, place));
        let transitions = self.transitions.iter().map(|&place| pair(TRANSITION, place));
        let states = self.states.iter().map(|&place| pair(STATE, place));
        vectors.chain(transitions).chain(states).collect()
    }

    /// Adds what was used elsewhere.
    pub fn add(&mut self, numbers: &[[u32; 3]]) {
        for &[kind, a, b] in numbers {
            let (a, b) = (a as usize, b as usize);
            match kind {
                VECTOR => _ = self.vectors.insert((Id::at(a), Id::at(b))),
                TRANSITION => _ = self.transitions.insert((Id::at(a), Id::at(b))),
                _ => _ = self.states.insert((Id::at(a), Id::at(b))),
            }
        }
    }
}

impl Coverage {
    /// Adds what was used of a way; `seen` has the numbers of those who may take part and were looked at.
    fn way(&mut self, way: &Way, seen: &mut BTreeSet<usize>) {
        way.each_rule(|rule| {
            if rule.fired.load(Ordering::Relaxed) {
                self.vectors.extend(&rule.vectors);
                self.transitions.extend(&rule.transitions);
            }
            for may in rule.wholes.iter().flat_map(|whole| &whole.may) {
                if seen.insert(may.site.number) {
                    may.site.ways.iter().for_each(|way| self.way(way, seen));
                }
            }
        });
    }
}

impl Compiled<'_> {
    /// What was used in all steps that were asked for so far.
    pub fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::default();
        for (id, plts) in self.net.plts.enumerated() {
            coverage.states.insert((id, plts.initial));
        }
        let mut seen = BTreeSet::new();
        self.ways.iter().for_each(|way| coverage.way(way, &mut seen));
        for &(leaf, transition) in &coverage.transitions {
            let target = self.net.plts[leaf].transitions[transition].target;
            coverage.states.insert((leaf, target));
        }
        coverage
    }
}
