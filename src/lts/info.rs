//! What there is to know about a system without comparing it with anything.

use std::collections::VecDeque;

use super::silent::contract;
use super::system::{Lts, LtsLabel, LtsState};
use crate::base::{IndexVec, budget};

/// Figures of a system. All but the first ones are about what can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LtsInfo {
    /// How many states there are.
    pub states: usize,
    /// How many transitions there are.
    pub transitions: usize,
    /// How many states can be reached.
    pub reached: usize,
    /// How many steps the farthest of them is away.
    pub depth: usize,
    /// How many transitions they have.
    pub steps: usize,
    /// How many of these are silent.
    pub silent: usize,
    /// How many states have no step.
    pub deadlocks: usize,
    /// The labels on a shortest way to one of them, if there is one.
    pub to_deadlock: Option<Vec<LtsLabel>>,
    /// How many states are on a silent circle.
    pub diverging: usize,
    /// The labels on a shortest way to one of them, if there is one.
    pub to_divergence: Option<Vec<LtsLabel>>,
    /// How many states have a silent step, or two steps with the same label.
    pub undecided: usize,
    /// How often each label is used, the silent action included, by text.
    pub labels: Vec<(LtsLabel, usize)>,
}

/// The states in the order in which they are reached, with the step to each.
struct Walk {
    order: Vec<LtsState>,
    way: IndexVec<LtsState, Option<(LtsState, LtsLabel)>>,
    depth: usize,
}

impl Walk {
    fn new(lts: &Lts) -> Walk {
        let mut walk = Walk { order: Vec::new(), way: IndexVec::of(lts.states(), None), depth: 0 };
        let mut depths: IndexVec<LtsState, u32> = IndexVec::of(lts.states(), u32::MAX);
        let mut open = VecDeque::from([lts.initial()]);
        depths[lts.initial()] = 0;
        while let Some(state) = open.pop_front().filter(|_| !budget::is_spent()) {
            walk.order.push(state);
            walk.depth = depths[state] as usize;
            for step in lts.steps(state) {
                if depths[step.to] == u32::MAX {
                    depths[step.to] = depths[state] + 1;
                    walk.way[step.to] = Some((state, step.label));
                    open.push_back(step.to);
                }
            }
        }
        walk
    }

    fn to(&self, state: LtsState) -> Vec<LtsLabel> {
        let mut labels = Vec::new();
        let mut at = state;
        while let Some((before, label)) = self.way[at] {
            labels.push(label);
            at = before;
        }
        labels.reverse();
        labels
    }

    /// How many states are such, and the way to the nearest.
    fn count(&self, is_such: impl Fn(LtsState) -> bool) -> (usize, Option<Vec<LtsLabel>>) {
        let such = || self.order.iter().copied().filter(|state| is_such(*state));
        (such().count(), such().next().map(|state| self.to(state)))
    }
}

/// Looks at a system.
pub fn info(lts: &Lts) -> LtsInfo {
    let walk = Walk::new(lts);
    let mut used: IndexVec<LtsLabel, usize> = IndexVec::of(lts.labels().len(), 0);
    for state in &walk.order {
        lts.steps(*state).iter().for_each(|step| used[step.label] += 1);
    }
    let mut labels: Vec<(LtsLabel, usize)> = used
        .enumerated()
        .map(|(label, count)| (label, *count))
        .filter(|(_, count)| *count > 0)
        .collect();
    let ranks = lts.labels().ranks();
    labels.sort_by_key(|(label, _)| ranks[*label]);
    let (deadlocks, to_deadlock) = walk.count(|state| lts.steps(state).is_empty());
    let contracted = contract(lts.clone());
    let (diverging, to_divergence) = walk.count(|state| contracted.diverges[contracted.of[state]]);
    let twice = |state: LtsState| {
        let steps = lts.steps(state);
        !lts.silent_steps(state).is_empty()
            || steps.windows(2).any(|two| two[0].label == two[1].label)
    };
    LtsInfo {
        states: lts.states(),
        transitions: lts.transitions(),
        reached: walk.order.len(),
        depth: walk.depth,
        steps: used.iter().sum(),
        silent: used[LtsLabel::SILENT],
        deadlocks,
        to_deadlock,
        diverging,
        to_divergence,
        undecided: walk.count(twice).0,
        labels,
    }
}
