//! Deterministic systems with the same traces: the states of such a system are sets of states (Rabin and Scott).

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::reduce::TooLarge;
use super::rows::Rows;
use super::system::{Lts, LtsLabel, LtsState, LtsStep};
use crate::base::{Id, Watch};

/// Sets of states, each once, in the order in which they were met.
type Sets = IndexSet<Box<[LtsState]>, FxBuildHasher>;

/// Goes along silent steps. What is used again is kept.
#[derive(Debug)]
pub(super) struct Closing<'l> {
    lts: &'l Lts,
    /// Whether there is something to close.
    hides: bool,
    seen: Vec<bool>,
}

impl<'l> Closing<'l> {
    pub fn new(lts: &'l Lts, hides: bool) -> Closing<'l> {
        Closing { lts, hides, seen: vec![false; if hides { lts.states() } else { 0 }] }
    }

    /// The states that are reached silently from some, in order.
    pub fn close(&mut self, mut states: Vec<LtsState>) -> Box<[LtsState]> {
        states.sort_unstable();
        states.dedup();
        if self.hides {
            states.iter().for_each(|state| self.seen[state.index()] = true);
            let mut at = 0;
            while let Some(state) = states.get(at).copied() {
                for step in self.lts.silent_steps(state) {
                    if !std::mem::replace(&mut self.seen[step.to.index()], true) {
                        states.push(step.to);
                    }
                }
                at += 1;
            }
            states.iter().for_each(|state| self.seen[state.index()] = false);
            states.sort_unstable();
        }
        states.into()
    }

    /// What the states of a set do, all together, by label: labels, and where they lead.
    pub fn steps(&self, set: &[LtsState]) -> Vec<LtsStep> {
        let of = |state: &LtsState| match self.hides {
            true => self.lts.visible_steps(*state),
            false => self.lts.steps(*state),
        };
        let mut steps: Vec<LtsStep> = set.iter().flat_map(of).copied().collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// Where the states of a set lead by one label.
    pub fn after(&mut self, set: &[LtsState], label: LtsLabel) -> Box<[LtsState]> {
        let to = set.iter().flat_map(|state| self.lts.steps_by(*state, label));
        let to = to.map(|step| step.to).collect();
        self.close(to)
    }
}

/// The deterministic system with the same traces. If silent steps are hidden, they are no part of traces.
pub fn determinised(
    lts: &Lts,
    hides: bool,
    most: usize,
    watch: &dyn Watch,
) -> Result<Lts, TooLarge> {
    let mut closing = Closing::new(lts, hides);
    let mut sets = Sets::default();
    sets.insert(closing.close(vec![lts.initial()]));
    let mut rows = Rows::with_capacity(0, 0);
    let budget = watch.budget();
    let mut at = 0;
    while at < sets.len() {
        let set = sets[at].clone();
        let steps = closing.steps(&set);
        for by_label in steps.chunk_by(|one, other| one.label == other.label) {
            let to = closing.close(by_label.iter().map(|step| step.to).collect());
            let (to, _) = sets.insert_full(to);
            rows.push(LtsStep { label: by_label[0].label, to: LtsState::at(to) });
        }
        rows.end_row();
        at += 1;
        if at.is_multiple_of(1024) {
            watch.progress(sets.len(), rows.items(), 0);
        }
        if sets.len() > most || rows.items() >= u32::MAX as usize {
            return Err(TooLarge::Determinised { most });
        }
        if budget.is_spent() {
            // Nobody is going to use this.
            while rows.len() < sets.len() {
                rows.end_row();
            }
            break;
        }
    }
    Ok(Lts::new(lts.labels().clone(), LtsState(0), rows))
}
