//! What was ever used.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use super::Compiled;
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

impl Compiled<'_> {
    /// What was used in all steps that were asked for so far.
    pub fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::default();
        for (id, plts) in self.net.plts.enumerated() {
            coverage.states.insert((id, plts.initial));
        }
        for way in &self.ways {
            way.each_rule(|rule| {
                if rule.fired.load(Ordering::Relaxed) {
                    coverage.vectors.extend(&rule.vectors);
                    coverage.transitions.extend(&rule.transitions);
                }
            });
        }
        for &(leaf, transition) in &coverage.transitions {
            let target = self.net.plts[leaf].transitions[transition].target;
            coverage.states.insert((leaf, target));
        }
        coverage
    }
}
