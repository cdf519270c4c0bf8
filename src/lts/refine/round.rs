//! One block is looked at, and split into parts with different signatures.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::blocks::{Blocks, Place};
use super::{BlockId, Entry, Task};
use crate::base::{Id, IndexVec, budget};
use crate::lts::rows::Rows;
use crate::lts::system::LtsState;
use crate::tagged_id;

tagged_id!(
    /// A part of the block that is looked at. The first one has what is as it was.
    Part
);

/// Has the signature that the block had.
const AS_BEFORE: Part = Part(0);

/// The work on one block after the other, with what is used again.
pub(super) struct Round<'t> {
    task: Task<'t>,
    pub blocks: Blocks,
    /// Those that have steps to a state: by silent steps, if these are hidden, and by others.
    silent_before: Option<Rows<LtsState, LtsState>>,
    before: Rows<LtsState, LtsState>,
    /// The parts that touched states go to.
    part_of: IndexVec<LtsState, Part>,
    /// The signatures of the parts, one after the other, and where each one is.
    signatures: Vec<Entry>,
    ranges: IndexVec<Part, Range<usize>>,
    sizes: IndexVec<Part, u32>,
    known: HashTable<Part>,
    /// The signature of the state that is looked at.
    own: Vec<Entry>,
    /// Touched states that are still to be looked at, since silent steps lead to those that left.
    later: BinaryHeap<Reverse<LtsState>>,
    /// Touched states in the order in which they were looked at.
    looked_at: Vec<LtsState>,
    /// The first number that no block had when this one was begun.
    new_from: BlockId,
    /// Whether the block had a signature then.
    had_signature: bool,
}

/// The states from which steps lead to each one, without their labels.
fn sources(task: Task<'_>, hidden: bool) -> Rows<LtsState, LtsState> {
    let lts = task.lts;
    let wanted =
        |at: LtsState| lts.steps(at).iter().filter(move |step| task.is_hidden(step) == hidden);
    let count = |counts: &mut Rows<LtsState, LtsState>| {
        lts.ids().flat_map(wanted).for_each(|step| counts.count(step.to));
    };
    Rows::counted(lts.states(), LtsState(0), count, |put| {
        for from in lts.ids() {
            wanted(from).for_each(|step| put(step.to, from));
        }
    })
}

fn hash(signature: &[Entry]) -> u64 {
    let mut hasher = FxHasher::default();
    signature.hash(&mut hasher);
    hasher.finish()
}

impl<'t> Round<'t> {
    pub fn new(task: Task<'t>, blocks: Blocks) -> Round<'t> {
        Round {
            task,
            blocks,
            silent_before: task.hides.then(|| sources(task, true)),
            before: sources(task, false),
            part_of: IndexVec::of(task.lts.states(), AS_BEFORE),
            signatures: Vec::new(),
            ranges: IndexVec::default(),
            sizes: IndexVec::default(),
            known: HashTable::new(),
            own: Vec::new(),
            later: BinaryHeap::new(),
            looked_at: Vec::new(),
            new_from: BlockId(1),
            had_signature: false,
        }
    }

    /// Looks at the touched states of a block, and splits it.
    pub fn split(&mut self, block: BlockId) {
        self.begin(block);
        let mut first = self.blocks.touched_states(block).to_vec();
        if self.task.hides {
            first.sort_unstable();
        }
        let mut first = first.into_iter().peekable();
        loop {
            let state = match (first.peek(), self.later.peek()) {
                (Some(one), Some(Reverse(other))) if one < other => first.next(),
                (_, Some(_)) => self.later.pop().map(|Reverse(state)| state),
                (_, None) => first.next(),
            };
            let Some(state) = state else { break };
            self.look_at(state, block);
            if self.looked_at.len().is_multiple_of(1024) && budget::is_spent() {
                // What has not been looked at stays: it must have a part, and any will do now.
                let rest = first.chain(self.later.drain().map(|Reverse(state)| state));
                self.looked_at.extend(rest.inspect(|state| self.part_of[*state] = AS_BEFORE));
                break;
            }
        }
        self.divide(block);
    }

    fn begin(&mut self, block: BlockId) {
        self.signatures.clear();
        self.known.clear();
        self.looked_at.clear();
        self.ranges = IndexVec::default();
        self.sizes = IndexVec::default();
        let before = self.blocks.signature(block);
        self.own.clear();
        self.own.extend_from_slice(before.unwrap_or_default());
        self.had_signature = before.is_some();
        self.new_from = BlockId::at(self.blocks.len());
        let part = self.add_part();
        if self.had_signature {
            let hashed = hash(&self.own);
            let signatures = Signatures { all: &self.signatures, ranges: &self.ranges };
            self.known.insert_unique(hashed, part, |part| hash(signatures.of(*part)));
        }
    }

    /// A new part with the signature of the state that is looked at.
    fn add_part(&mut self) -> Part {
        let start = self.signatures.len();
        self.signatures.extend_from_slice(&self.own);
        self.sizes.push(0);
        self.ranges.push(start..self.signatures.len())
    }

    /// The number that a part has in signatures while the block is looked at.
    fn name(&self, part: Part, block: BlockId) -> BlockId {
        if part == AS_BEFORE { block } else { BlockId(self.new_from.0 + part.0 - 1) }
    }

    /// Finds the part that a state goes to.
    fn look_at(&mut self, state: LtsState, block: BlockId) {
        let along = self.sign(state, block);
        let part = match along {
            Some(part) if self.goes_along(part, block) => part,
            _ => self.part_with_signature(),
        };
        self.part_of[state] = part;
        self.sizes[part] += 1;
        self.looked_at.push(state);
        if part != AS_BEFORE && self.task.hides {
            self.touch_before(state, block);
        }
    }

    /// Makes the signature of a state. Of the parts that silent steps inside of the block lead to, the last one.
    fn sign(&mut self, state: LtsState, block: BlockId) -> Option<Part> {
        let mut along = None;
        self.own.clear();
        for step in self.task.lts.steps(state) {
            let to = self.blocks.block(step.to);
            if to == block && self.task.is_hidden(step) {
                let part = self.part_of[step.to];
                along = along.max(Some(part));
                self.own.push(Entry::silent(self.name(part, block)));
            } else {
                self.own.push(Entry::new(step.label, to));
            }
        }
        if self.task.has_divergence(state) {
            self.own.push(Entry::DIVERGES);
        }
        self.own.sort_unstable();
        self.own.dedup();
        along
    }

    /// Whether all that the state does can be done in a part that a silent step leads to.
    fn goes_along(&self, part: Part, block: BlockId) -> bool {
        let itself = Entry::silent(self.name(part, block));
        let all = &self.signatures[self.ranges[part].clone()];
        let mut others = self.own.iter().filter(|entry| **entry != itself);
        if self.own.len() > all.len() + 1 {
            return false;
        }
        others.all(|entry| all.binary_search(entry).is_ok())
    }

    fn part_with_signature(&mut self) -> Part {
        let hashed = hash(&self.own);
        let signatures = Signatures { all: &self.signatures, ranges: &self.ranges };
        let same = |part: &Part| signatures.of(*part) == self.own;
        if let Some(known) = self.known.find(hashed, same) {
            return *known;
        }
        let part = self.add_part();
        let signatures = Signatures { all: &self.signatures, ranges: &self.ranges };
        self.known.insert_unique(hashed, part, |part| hash(signatures.of(*part)));
        part
    }

    /// A state leaves its block: those that have silent steps to it are looked at.
    fn touch_before(&mut self, state: LtsState, block: BlockId) {
        for before in self.silent_before.iter().flat_map(|all| all.row(state)) {
            if self.blocks.block(*before) == block && self.blocks.touch(*before) {
                self.later.push(Reverse(*before));
            }
        }
    }

    /// Makes blocks of the parts. The largest one keeps the number.
    fn divide(&mut self, block: BlockId) {
        let places = self.blocks.places(block);
        let untouched = self.blocks.size(block) - self.looked_at.len();
        self.sizes[AS_BEFORE] += untouched as u32;
        self.rearrange(block);
        let largest = self.sizes.ids().max_by_key(|part| (self.sizes[*part], Reverse(*part)));
        let largest = largest.unwrap_or(AS_BEFORE);
        let names = self.make_blocks(block, &places, largest);
        self.sign_blocks(block, &names);
        for new in self.new_from.index()..self.blocks.len() {
            self.touch_those_before(BlockId::at(new), block);
        }
        self.looked_at.iter().for_each(|state| self.part_of[*state] = AS_BEFORE);
    }

    /// Puts the states that were looked at in the order of their parts, those that stay last.
    fn rearrange(&mut self, block: BlockId) {
        let mut next: IndexVec<Part, usize> = IndexVec::of(self.sizes.len(), 0);
        let mut at = 0;
        for part in self.sizes.ids().skip(1) {
            next[part] = at;
            at += self.sizes[part] as usize;
        }
        next[AS_BEFORE] = at;
        let mut order = vec![LtsState(0); self.looked_at.len()];
        for state in &self.looked_at {
            let at = &mut next[self.part_of[*state]];
            order[*at] = *state;
            *at += 1;
        }
        self.blocks.rearrange(block, &order);
    }

    /// The blocks of the parts that are not empty.
    fn make_blocks(
        &mut self,
        block: BlockId,
        places: &Range<Place>,
        largest: Part,
    ) -> IndexVec<Part, BlockId> {
        let mut names = IndexVec::of(self.sizes.len(), block);
        let mut start = places.start;
        let all = self.sizes.ids().skip(1).chain([AS_BEFORE]);
        for part in all {
            let end = Place(start.0 + self.sizes[part]);
            let own = start..end;
            start = end;
            if part == largest {
                self.blocks.keep(block, own);
            } else if own.start < own.end {
                names[part] = self.blocks.make(own);
            }
        }
        names
    }

    /// Keeps the signatures, with the numbers that blocks have now.
    fn sign_blocks(&mut self, block: BlockId, names: &IndexVec<Part, BlockId>) {
        for part in self.ranges.ids().filter(|part| self.sizes[*part] > 0) {
            let range = self.ranges[part].clone();
            let name = names[part];
            let has_none = part == AS_BEFORE && !self.had_signature;
            if has_none || self.blocks.size(name) < 2 {
                self.blocks.sign(name, None);
                continue;
            }
            let mut signature: Box<[Entry]> = self.signatures[range].into();
            if self.task.hides {
                rename(&mut signature, block, self.new_from, names);
            }
            self.blocks.sign(name, Some(signature));
        }
    }

    /// Touches those that have steps to a block that is new. Silent steps inside of what was one block have been looked at.
    fn touch_those_before(&mut self, new: BlockId, old: BlockId) {
        let places = self.blocks.places(new);
        let states = self.blocks.at(&places).to_vec();
        for state in states {
            for before in self.before.row(state) {
                self.blocks.touch(*before);
            }
            for before in self.silent_before.iter().flat_map(|all| all.row(state)) {
                let of = self.blocks.block(*before);
                if of != old && of < self.new_from {
                    self.blocks.touch(*before);
                }
            }
        }
    }
}

/// The names of parts in a signature become those of their blocks.
fn rename(
    signature: &mut [Entry],
    block: BlockId,
    first: BlockId,
    names: &IndexVec<Part, BlockId>,
) {
    let mut changed = false;
    for entry in signature.iter_mut().take_while(|entry| entry.is_silent()) {
        let part = match entry.block() {
            of if of == block => AS_BEFORE,
            of if of >= first => Part(of.0 - first.0 + 1),
            _ => continue,
        };
        changed |= names[part] != entry.block();
        *entry = Entry::silent(names[part]);
    }
    if changed {
        signature.sort_unstable();
    }
}

/// The signatures of parts.
struct Signatures<'s> {
    all: &'s [Entry],
    ranges: &'s IndexVec<Part, Range<usize>>,
}

impl Signatures<'_> {
    fn of(&self, part: Part) -> &[Entry] {
        &self.all[self.ranges[part].clone()]
    }
}
