//! Weak bisimilarity, without the saturated relation.
//!
//! Two states differ if, for some label and block, only one of them gets into the block by a step with that label and any
//! silent steps before and after it. Which states do is a matter of going through the states once, in the order of their
//! silent steps; and that is done for many blocks at once, one bit for each. So the work is that of going through the
//! system once for each 256 blocks that there ever were, or for each 1024 where there are many, and the memory is what one such
//! pass needs. Systems are reduced by branching bisimilarity first, which is finer and quick.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::partition::{BlockId, Partition};
use super::system::{Lts, LtsLabel, LtsState};
use crate::base::{Budget, Id, IndexVec, Watch, budget};

/// The words of a pass over few blocks, and over many: most of a pass is finding what belongs together, however many bits
/// there are.
const FEW: usize = 4;
const MANY: usize = 16;

/// Where more blocks wait than this, many are looked at in one pass.
const MANY_BLOCKS: usize = 2_048;

/// Some of the blocks of a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    const NONE: Bits<W> = Bits([0; W]);

    fn only(at: usize) -> Bits<W> {
        let mut one = Bits::NONE;
        one.0[at / 64] = 1 << (at % 64);
        one
    }

    fn add(&mut self, other: &Bits<W>) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

/// Which blocks of a pass are reached from each state: silently, and by each label.
struct Reached<const W: usize> {
    silently: IndexVec<LtsState, Bits<W>>,
    by_label: Vec<(LtsLabel, Bits<W>)>,
    starts: Vec<u32>,
}

impl<const W: usize> Reached<W> {
    /// `lts` has no silent circles, and silent steps lead to smaller numbers. What is reached by labels is found where it is
    /// wanted.
    fn new(lts: &Lts, work: &Work, pass: &Pass) -> Reached<W> {
        let of = &work.of;
        let mut silently = IndexVec::of(lts.states(), Bits::NONE);
        for state in lts.ids() {
            let mut own = pass.get(&of[state]).map_or(Bits::NONE, |at| Bits::only(*at));
            lts.silent_steps(state).iter().for_each(|step| own.add(&silently[step.to]));
            silently[state] = own;
        }
        let wanted = work.wanted(lts);
        let mut reached = Reached { silently, by_label: Vec::new(), starts: vec![0] };
        let mut own: Vec<(LtsLabel, Bits<W>)> = Vec::new();
        for state in lts.ids() {
            own.clear();
            if !wanted[state] || budget::is_spent() {
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

    fn end_row(&mut self, own: &mut Vec<(LtsLabel, Bits<W>)>) {
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

    fn row(&self, state: LtsState) -> &[(LtsLabel, Bits<W>)] {
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
    sizes: IndexVec<BlockId, u32>,
    pending: VecDeque<BlockId>,
    is_pending: IndexVec<BlockId, bool>,
}

impl Work {
    fn new(partition: &Partition) -> Work {
        let blocks = partition.len();
        let of: IndexVec<LtsState, BlockId> =
            (0..partition.states()).map(|at| partition.block(LtsState::at(at))).collect();
        let mut sizes = IndexVec::of(blocks, 0);
        of.iter().for_each(|block| sizes[*block] += 1);
        Work {
            of,
            blocks,
            sizes,
            pending: (0..blocks).map(BlockId::at).collect(),
            is_pending: IndexVec::of(blocks, true),
        }
    }

    fn take(&mut self, words: usize) -> Pass {
        let many = (64 * words).min(self.pending.len());
        let taken: Vec<BlockId> = self.pending.drain(..many).collect();
        taken.iter().for_each(|block| self.is_pending[*block] = false);
        taken.into_iter().enumerate().map(|(at, block)| (block, at)).collect()
    }

    fn ask_for(&mut self, block: BlockId) {
        if !std::mem::replace(&mut self.is_pending[block], true) {
            self.pending.push_back(block);
        }
    }

    /// The states of which it matters what labels lead to: those that are not alone in their blocks, and all that silent steps
    /// lead to from these.
    fn wanted(&self, lts: &Lts) -> IndexVec<LtsState, bool> {
        let mut wanted: IndexVec<LtsState, bool> =
            self.of.iter().map(|block| self.sizes[*block] > 1).collect();
        for state in lts.ids().rev() {
            if wanted[state] {
                lts.silent_steps(state).iter().for_each(|step| wanted[step.to] = true);
            }
        }
        wanted
    }

    /// Looks at some blocks that wait, and splits blocks by them; whether there was something to split.
    fn pass(&mut self, lts: &Lts) -> bool {
        match self.pending.len() > MANY_BLOCKS {
            true => self.pass_of::<MANY>(lts),
            false => self.pass_of::<FEW>(lts),
        }
    }

    fn pass_of<const W: usize>(&mut self, lts: &Lts) -> bool {
        let pass = self.take(W);
        self.split(&Reached::<W>::new(lts, self, &pass))
    }

    /// Splits blocks by what is reached; whether there was something to split.
    fn split<const W: usize>(&mut self, reached: &Reached<W>) -> bool {
        let mut first_seen = IndexVec::of(self.blocks, false);
        let mut known: FxHashMap<Key<'_, W>, BlockId> = FxHashMap::default();
        let before = self.blocks;
        for state in (0..self.of.len()).map(LtsState::at) {
            let block = self.of[state];
            if self.sizes[block] == 1 {
                continue;
            }
            let key =
                Key { block, silently: &reached.silently[state], by_label: reached.row(state) };
            let new = BlockId::at(self.blocks);
            let is_first = !first_seen[block];
            let found = *known.entry(key).or_insert(if is_first { block } else { new });
            first_seen[block] = true;
            if found == new {
                self.blocks += 1;
                self.sizes.push(0);
                self.is_pending.push(false);
                self.ask_for(new);
                self.ask_for(block);
            }
            if found != block {
                self.sizes[block] -= 1;
                self.sizes[found] += 1;
                self.of[state] = found;
            }
        }
        self.blocks > before
    }
}

/// What tells states apart in a pass.
#[derive(PartialEq, Eq, Hash)]
struct Key<'r, const W: usize> {
    block: BlockId,
    silently: &'r Bits<W>,
    by_label: &'r [(LtsLabel, Bits<W>)],
}

/// The coarsest partition of a system without silent circles, whose silent steps lead to smaller numbers. What is returned
/// when the budget is spent is some partition.
pub fn weakly_refined(lts: &Lts, watch: &dyn Watch) -> Partition {
    let all = Partition::new(&IndexVec::of(lts.states(), BlockId(0)));
    let (mut work, budget) = (Work::new(&all), watch.budget());
    while !work.pending.is_empty() && work.blocks < lts.states() && !budget.is_spent() {
        work.pass(lts);
        watch.searching(&format!("refining, {} blocks", work.blocks), 0);
    }
    Partition::new(&work.of)
}

/// Whether all blocks are looked at once more, and none is split. Silent about what it did not look at when the budget is
/// spent.
pub fn is_weakly_stable(lts: &Lts, partition: &Partition, budget: &Budget) -> bool {
    let mut work = Work::new(partition);
    while !work.pending.is_empty() && !budget.is_spent() {
        if work.pass(lts) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{FEW, MANY, MANY_BLOCKS, Partition, Work, is_weakly_stable, weakly_refined};
    use crate::base::{Budget, Dice, Id, IndexVec, Unwatched};
    use crate::lts::partition::BlockId;
    use crate::lts::system::{LabelTable, Lts, LtsBuilder, LtsLabel, LtsState};

    /// So many states with silent steps to smaller numbers.
    fn system(states: usize, silent: usize, dice: &mut Dice) -> Lts {
        let mut builder = LtsBuilder::new(LabelTable::new("tau"));
        let labels: Vec<LtsLabel> =
            ["a", "b", "c"].iter().map(|text| builder.labels.intern(text)).collect();
        builder.state(LtsState::at(states - 1));
        for from in 0..states {
            for _ in 0..3 {
                let is_silent = from > 0 && dice.below(100) < silent;
                let (label, to) = match is_silent {
                    true => (LtsLabel::SILENT, dice.below(from)),
                    false => (labels[dice.below(3)], dice.below(states)),
                };
                builder.add(LtsState::at(from), label, LtsState::at(to));
            }
        }
        builder.finish(LtsState::at(0))
    }

    /// However many blocks a pass looks at, the partition is the same.
    #[test]
    fn few_blocks_or_many_in_a_pass() {
        for silent in [5, 30, 60] {
            let lts = system(3_000, silent, &mut Dice::new(silent as u64));
            let all = Partition::new(&IndexVec::of(lts.states(), BlockId(0)));
            let by = |many: bool| {
                let mut work = Work::new(&all);
                while !work.pending.is_empty() {
                    match many {
                        true => work.pass_of::<MANY>(&lts),
                        false => work.pass_of::<FEW>(&lts),
                    };
                }
                work
            };
            let (few, many) = (by(false), by(true));
            assert!(few.blocks == many.blocks && few.blocks > 1, "{silent}: {}", few.blocks);
            assert!(silent > 5 || few.blocks > MANY_BLOCKS, "{}", few.blocks);
            let mut pairs: Vec<_> = few.of.iter().zip(many.of.iter()).collect();
            pairs.sort();
            pairs.dedup();
            assert_eq!(pairs.len(), few.blocks, "the same states are together");
            let found = weakly_refined(&lts, &Unwatched);
            assert_eq!(found.len(), few.blocks);
            assert!(is_weakly_stable(&lts, &found, &Budget::default()));
            // Two blocks that are made one are not stable.
            let one = |at: usize| if at == 1 { BlockId(0) } else { BlockId::at(at) };
            let of: IndexVec<LtsState, BlockId> =
                lts.ids().map(|state| one(found.block(state).index())).collect();
            assert!(!is_weakly_stable(&lts, &Partition::new(&of), &Budget::default()));
        }
    }
}
