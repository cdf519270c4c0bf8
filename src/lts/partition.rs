//! Partitions of states into blocks.

use rustc_hash::FxHashMap;

use super::rows::Rows;
use super::system::LtsState;
use crate::base::{Id, IndexVec};
use crate::tagged_id;

tagged_id!(
    /// A block of a partition.
    BlockId
);

/// Which block each state is in. Blocks are numbered by their first states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    of: IndexVec<LtsState, BlockId>,
    count: usize,
}

impl Partition {
    /// A partition from any numbers of blocks.
    pub fn new(of: &IndexVec<LtsState, BlockId>) -> Partition {
        let most = of.iter().map(|block| block.index() + 1).max().unwrap_or(0);
        let mut numbers = vec![u32::MAX; most];
        let mut count = 0;
        let number = |block: &BlockId| {
            let number = &mut numbers[block.index()];
            if *number == u32::MAX {
                *number = count;
                count += 1;
            }
            BlockId(*number)
        };
        let of = of.iter().map(number).collect();
        Partition { of, count: count as usize }
    }

    /// Each state for itself.
    pub fn discrete(states: usize) -> Partition {
        Partition { of: (0..states).map(BlockId::at).collect(), count: states }
    }

    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The block of a state.
    pub fn block(&self, state: LtsState) -> BlockId {
        self.of[state]
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.of.len()
    }

    /// Whether two states are in one block.
    pub fn together(&self, one: LtsState, other: LtsState) -> bool {
        self.of[one] == self.of[other]
    }

    /// The first state of each block.
    pub fn first_states(&self) -> IndexVec<BlockId, LtsState> {
        let mut first = IndexVec::of(self.count, LtsState(u32::MAX));
        for (state, block) in self.of.enumerated().rev() {
            first[*block] = state;
        }
        first
    }

    /// The partition of the states of which those of this one were made.
    pub fn behind(&self, of: &IndexVec<LtsState, LtsState>) -> Partition {
        Partition::new(&of.iter().map(|state| self.of[*state]).collect())
    }

    /// The states of each block, in order.
    pub fn members(&self) -> Rows<BlockId, LtsState> {
        let count = |counts: &mut Rows<BlockId, LtsState>| {
            self.of.iter().for_each(|block| counts.count(*block));
        };
        Rows::counted(self.count, LtsState(0), count, |put| {
            self.of.enumerated().for_each(|(state, block)| put(*block, state));
        })
    }

    /// All blocks.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = BlockId> + Clone + use<> {
        (0..self.count).map(BlockId::at)
    }

    /// Both of two states have to be together in both partitions.
    pub fn meet(&self, other: &Partition) -> Partition {
        let mut known: FxHashMap<(BlockId, BlockId), BlockId> = FxHashMap::default();
        let block = |(one, another): (&BlockId, &BlockId)| {
            let next = BlockId::at(known.len());
            *known.entry((*one, *another)).or_insert(next)
        };
        Partition::new(&self.of.iter().zip(&other.of).map(block).collect())
    }
}
