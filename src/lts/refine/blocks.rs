//! Blocks that are split: the states of each stand side by side, those that are touched first.

use std::num::NonZeroU32;
use std::ops::Range;

use super::{BlockId, Entry};
use crate::base::{Id, IndexVec};
use crate::lts::system::LtsState;
use crate::tagged_id;

tagged_id!(
    /// A place in the order of states.
    Place
);

/// One block.
#[derive(Clone, Debug)]
struct Block {
    first: Place,
    end: Place,
    /// Where those begin that are not touched.
    clean: Place,
    /// The signature that its states had when it was made. There is none yet at the beginning, and none where there is
    /// only one state.
    signature: Option<NonZeroU32>,
}

/// Signatures by numbers from 1 on. Most blocks have none in the end, and a number is smaller than a pointer.
#[derive(Debug, Default)]
struct Signed {
    all: Vec<Box<[Entry]>>,
    free: Vec<NonZeroU32>,
}

impl Signed {
    fn get(&self, at: NonZeroU32) -> &[Entry] {
        &self.all[at.get() as usize - 1]
    }

    /// Puts another signature in the place of one.
    fn put(&mut self, at: Option<NonZeroU32>, new: Option<Box<[Entry]>>) -> Option<NonZeroU32> {
        let Some(new) = new else {
            self.free.extend(at);
            return None;
        };
        let Some(at) = at.or_else(|| self.free.pop()) else {
            self.all.push(new);
            return NonZeroU32::new(self.all.len() as u32);
        };
        self.all[at.get() as usize - 1] = new;
        Some(at)
    }
}

/// Where a state is: both are looked at together, and memory is slow.
#[derive(Clone, Copy, Debug)]
struct Seat {
    block: BlockId,
    place: Place,
}

/// The blocks.
#[derive(Debug)]
pub(super) struct Blocks {
    order: IndexVec<Place, LtsState>,
    /// Where each state is.
    seats: IndexVec<LtsState, Seat>,
    blocks: IndexVec<BlockId, Block>,
    signed: Signed,
    /// The blocks with states that are touched.
    touched: Vec<BlockId>,
}

impl Blocks {
    /// One block with all states, which are touched.
    pub fn new(states: usize) -> Blocks {
        let end = Place::at(states);
        let whole = Block { first: Place(0), end, clean: end, signature: None };
        Blocks {
            order: (0..states).map(LtsState::at).collect(),
            seats: (0..states).map(|at| Seat { block: BlockId(0), place: Place::at(at) }).collect(),
            blocks: std::iter::once(whole).collect(),
            signed: Signed::default(),
            touched: vec![BlockId(0)],
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// The block of each state.
    pub fn of(&self) -> IndexVec<LtsState, BlockId> {
        self.seats.iter().map(|seat| seat.block).collect()
    }

    pub fn block(&self, state: LtsState) -> BlockId {
        self.seats[state].block
    }

    pub fn next_touched(&mut self) -> Option<BlockId> {
        self.touched.pop()
    }

    pub fn size(&self, block: BlockId) -> usize {
        let Block { first, end, .. } = self.blocks[block];
        (end.0 - first.0) as usize
    }

    pub fn signature(&self, block: BlockId) -> Option<&[Entry]> {
        self.blocks[block].signature.map(|at| self.signed.get(at))
    }

    pub fn sign(&mut self, block: BlockId, signature: Option<Box<[Entry]>>) {
        let at = &mut self.blocks[block].signature;
        *at = self.signed.put(*at, signature);
    }

    /// The states of a block that are touched.
    pub fn touched_states(&self, block: BlockId) -> &[LtsState] {
        let Block { first, clean, .. } = self.blocks[block];
        &self.order.as_slice()[first.index()..clean.index()]
    }

    /// Touches a state; whether it was not yet. A block of one state is not touched: it is not going to be split.
    pub fn touch(&mut self, state: LtsState) -> bool {
        let Seat { block: of, place } = self.seats[state];
        let block = &mut self.blocks[of];
        let clean = block.clean;
        if place < clean || block.end.0 - block.first.0 == 1 {
            return false;
        }
        if clean == block.first {
            self.touched.push(of);
        }
        block.clean = Place(clean.0 + 1);
        let other = self.order[clean];
        (self.order[place], self.seats[other].place) = (other, place);
        (self.order[clean], self.seats[state].place) = (state, clean);
        true
    }

    /// The touched states of a block, in another order. Nothing of it is touched any more.
    pub fn rearrange(&mut self, block: BlockId, states: &[LtsState]) {
        let first = self.blocks[block].first;
        self.blocks[block].clean = first;
        for (at, state) in states.iter().enumerate() {
            let place = Place(first.0 + at as u32);
            (self.order[place], self.seats[*state].place) = (*state, place);
        }
    }

    /// All places of a block.
    pub fn places(&self, block: BlockId) -> Range<Place> {
        self.blocks[block].first..self.blocks[block].end
    }

    /// The states at some places.
    pub fn at(&self, places: &Range<Place>) -> &[LtsState] {
        &self.order.as_slice()[places.start.index()..places.end.index()]
    }

    /// A block keeps these of its places.
    pub fn keep(&mut self, block: BlockId, places: Range<Place>) {
        let kept = &mut self.blocks[block];
        (kept.first, kept.clean, kept.end) = (places.start, places.start, places.end);
    }

    /// A new block of some places.
    pub fn make(&mut self, places: Range<Place>) -> BlockId {
        let new =
            Block { first: places.start, clean: places.start, end: places.end, signature: None };
        let id = self.blocks.push(new);
        for at in places.start.0..places.end.0 {
            self.seats[self.order[Place(at)]].block = id;
        }
        id
    }
}
