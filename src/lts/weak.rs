//! Weak bisimilarity, without the saturated relation.
//!
//! Two states differ if, for some label and block, only one of them gets into the block by a step with that label and any
//! silent steps before and after it. Which states do is a matter of going through the states once, in the order of their
//! silent steps; and that is done for many blocks at once, one bit for each. So the work is that of going through the
//! system once for each 256 blocks that there ever were, and the memory is what one such pass needs. Systems are reduced
//! by branching bisimilarity first, which is finer and quick.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::partition::{BlockId, Partition};
use super::system::{Lts, LtsLabel, LtsState};
use crate::base::{Budget, Id, IndexVec, Watch, budget};

/// How many blocks are looked at in one pass.
const MANY: usize = 256;

/// Some of the blocks of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Some256([u64; MANY / 64]);

impl Some256 {
    fn only(at: usize) -> Some256 {
        let mut one = Some256::default();
        one.0[at / 64] = 1 << (at % 64);
        one
    }

    fn add(&mut self, other: &Some256) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

/// Which blocks of a pass are reached from each state: silently, and by each label.
struct Reached {
    silently: IndexVec<LtsState, Some256>,
    by_label: Vec<(LtsLabel, Some256)>,
    starts: Vec<u32>,
}

impl Reached {
    /// `lts` has no silent circles, and silent steps lead to smaller numbers.
    fn new(lts: &Lts, of: &IndexVec<LtsState, BlockId>, pass: &Pass) -> Reached {
        let mut silently = IndexVec::of(lts.states(), Some256::default());
        for state in lts.ids() {
            let mut own =
                pass.get(&of[state]).map_or_else(Some256::default, |at| Some256::only(*at));
            lts.silent_steps(state).iter().for_each(|step| own.add(&silently[step.to]));
            silently[state] = own;
        }
        let mut reached = Reached { silently, by_label: Vec::new(), starts: vec![0] };
        let mut own: Vec<(LtsLabel, Some256)> = Vec::new();
        for state in lts.ids() {
            own.clear();
            if budget::is_spent() {
                reached.end_row(&mut own);
                continue;
            }
            for step in lts.silent_steps(state) {
                own.extend_from_slice(reached.row(step.to));
            }
            let visible = lts.visible_steps(state).iter();
            own.extend(visible.map(|step| (step.label, reached.silently[step.to])));
            reached.end_row(&mut own);
        }
        reached
    }

    fn end_row(&mut self, own: &mut Vec<(LtsLabel, Some256)>) {
        own.retain(|(_, blocks)| !blocks.is_empty());
        own.sort_unstable_by_key(|(label, _)| *label);
        let start = self.by_label.len();
        for (label, blocks) in own.iter() {
            match self.by_label[start..].last_mut() {
                Some((last, all)) if last == label => all.add(blocks),
                _ => self.by_label.push((*label, *blocks)),
            }
        }
        self.starts.push(self.by_label.len() as u32);
    }

    fn row(&self, state: LtsState) -> &[(LtsLabel, Some256)] {
        let at = state.index();
        &self.by_label[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// The blocks of a pass, each with its bit.
type Pass = FxHashMap<BlockId, usize>;

/// The blocks that were not looked at since they were made, and which state is in which.
struct Work {
    of: IndexVec<LtsState, BlockId>,
    blocks: usize,
    pending: VecDeque<BlockId>,
    is_pending: IndexVec<BlockId, bool>,
}

impl Work {
    fn new(partition: &Partition) -> Work {
        let blocks = partition.len();
        Work {
            of: (0..partition.states()).map(|at| partition.block(LtsState::at(at))).collect(),
            blocks,
            pending: (0..blocks).map(BlockId::at).collect(),
            is_pending: IndexVec::of(blocks, true),
        }
    }

    fn take(&mut self) -> Pass {
        let many = MANY.min(self.pending.len());
        let taken: Vec<BlockId> = self.pending.drain(..many).collect();
        taken.iter().for_each(|block| self.is_pending[*block] = false);
        taken.into_iter().enumerate().map(|(at, block)| (block, at)).collect()
    }

    fn ask_for(&mut self, block: BlockId) {
        if !std::mem::replace(&mut self.is_pending[block], true) {
            self.pending.push_back(block);
        }
    }

    /// Splits blocks by what is reached; whether there was something to split.
    fn split(&mut self, reached: &Reached) -> bool {
        let mut first_seen = IndexVec::of(self.blocks, false);
        let mut known: FxHashMap<Key<'_>, BlockId> = FxHashMap::default();
        let before = self.blocks;
        for state in (0..self.of.len()).map(LtsState::at) {
            let block = self.of[state];
            let key =
                Key { block, silently: &reached.silently[state], by_label: reached.row(state) };
            let new = BlockId::at(self.blocks);
            let is_first = !first_seen[block];
            let found = *known.entry(key).or_insert(if is_first { block } else { new });
            first_seen[block] = true;
            if found == new {
                self.blocks += 1;
                self.is_pending.push(false);
                self.ask_for(new);
                self.ask_for(block);
            }
            self.of[state] = found;
        }
        self.blocks > before
    }
}

/// What tells states apart in a pass.
#[derive(PartialEq, Eq, Hash)]
struct Key<'r> {
    block: BlockId,
    silently: &'r Some256,
    by_label: &'r [(LtsLabel, Some256)],
}

/// The coarsest partition of a system without silent circles, whose silent steps lead to smaller numbers. What is returned
/// when the budget is spent is some partition.
pub fn weakly_refined(lts: &Lts, watch: &dyn Watch) -> Partition {
    let all = Partition::new(&IndexVec::of(lts.states(), BlockId(0)));
    let (mut work, budget) = (Work::new(&all), watch.budget());
    while !work.pending.is_empty() && work.blocks < lts.states() && !budget.is_spent() {
        let pass = work.take();
        work.split(&Reached::new(lts, &work.of, &pass));
        watch.searching(&format!("refining, {} blocks", work.blocks), 0);
    }
    Partition::new(&work.of)
}

/// Whether all blocks are looked at once more, and none is split. Silent about what it did not look at when the budget is
/// spent.
pub fn is_weakly_stable(lts: &Lts, partition: &Partition, budget: &Budget) -> bool {
    let mut work = Work::new(partition);
    while !work.pending.is_empty() && !budget.is_spent() {
        let pass = work.take();
        if work.split(&Reached::new(lts, &work.of, &pass)) {
            return false;
        }
    }
    true
}
