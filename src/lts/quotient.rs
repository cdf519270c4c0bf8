//! One state for each block: the quotient of a system by a partition.

use std::collections::VecDeque;

use super::partition::{BlockId, Partition};
use super::rows::Rows;
use super::system::{Lts, LtsLabel, LtsState, LtsStep};
use crate::base::{IndexVec, budget};

/// Which steps the quotient has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Steps {
    /// Those of the first state of each block.
    OfFirst,
    /// Those of all states.
    OfAll,
}

/// How a quotient is made.
#[derive(Clone, Copy, Debug)]
pub struct Quotienting<'q> {
    /// Which steps it has.
    pub steps: Steps,
    /// Whether silent steps inside of a block are left out.
    pub hides: bool,
    /// The states that go on silently for ever, if that counts: their blocks get a silent step to themselves.
    pub diverges: Option<&'q IndexVec<LtsState, bool>>,
}

/// The quotient, as far as it can be reached, numbered as it is reached, step by step in the order of labels.
pub fn quotient(lts: &Lts, partition: &Partition, how: Quotienting<'_>) -> Lts {
    reachable(&block_system(lts, partition, how))
}

/// The quotient with all its states, which have the numbers of their blocks.
pub fn block_system(lts: &Lts, partition: &Partition, how: Quotienting<'_>) -> Lts {
    let rows = block_rows(lts, partition, how);
    Lts::new(lts.labels().clone(), as_state(partition.block(lts.initial())), rows)
}

fn as_state(block: BlockId) -> LtsState {
    LtsState(block.0)
}

fn block_rows(lts: &Lts, partition: &Partition, how: Quotienting<'_>) -> Rows<LtsState, LtsStep> {
    let mut rows = Rows::with_capacity(partition.len(), 0);
    let add = |state: LtsState, rows: &mut Rows<LtsState, LtsStep>| {
        let block = partition.block(state);
        for step in lts.steps(state) {
            let to = partition.block(step.to);
            if !(how.hides && step.label.is_silent() && to == block) {
                rows.push(LtsStep { label: step.label, to: as_state(to) });
            }
        }
        if how.diverges.is_some_and(|diverges| diverges[state]) {
            rows.push(LtsStep { label: LtsLabel::SILENT, to: as_state(block) });
        }
    };
    match how.steps {
        Steps::OfFirst => {
            let first_states = partition.first_states();
            rows.reserve(first_states.iter().map(|state| lts.steps(*state).len()).sum());
            for first in &first_states {
                add(*first, &mut rows);
                rows.end_row();
            }
        }
        Steps::OfAll => {
            let members = partition.members();
            for block in partition.ids() {
                members.row(block).iter().for_each(|state| add(*state, &mut rows));
                rows.end_row();
            }
        }
    }
    rows
}

/// What can be reached, numbered as it is reached: level by level, and from each state in the order of the texts of labels.
/// Labels that are not used any more are left out.
pub fn reachable(lts: &Lts) -> Lts {
    let ranks = lts.labels().ranks();
    let mut number: IndexVec<LtsState, u32> = IndexVec::of(lts.states(), u32::MAX);
    let mut order = VecDeque::from([lts.initial()]);
    number[lts.initial()] = 0;
    let (mut count, mut used) = (1, IndexVec::of(lts.labels().len(), false));
    let mut rows: Rows<LtsState, LtsStep> = Rows::with_capacity(lts.states(), lts.transitions());
    let mut sorted: Vec<LtsStep> = Vec::new();
    while let Some(state) = order.pop_front() {
        sorted.clear();
        if !budget::is_spent() {
            sorted.extend_from_slice(lts.steps(state));
        }
        sorted.sort_by_key(|step| (ranks[step.label], step.to));
        for step in &sorted {
            if number[step.to] == u32::MAX {
                number[step.to] = count;
                count += 1;
                order.push_back(step.to);
            }
            used[step.label] = true;
            rows.push(LtsStep {
                label: LtsLabel(ranks[step.label]),
                to: LtsState(number[step.to]),
            });
        }
        rows.end_row();
    }
    let (labels, of_rank) = lts.labels().in_order(&ranks, &used);
    rows.each(|step| step.label = of_rank[step.label.index()]);
    Lts::new(labels, LtsState(0), rows)
}
