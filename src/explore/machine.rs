//! What a search needs of a compiled net: packed configurations in, packed configurations out.
//!
//! A search knows nothing of nets, and a machine nothing of searches. Threads share a machine, and each has a
//! [`Machine::Scratch`] of its own.

use super::{Configuration, Gap, Luggage, Packing, Preserved, Property, Symmetry, Value};
use crate::pnet::HoleId;

/// A packed configuration.
pub type Packed = Box<[u64]>;

/// A net that is ready to run.
pub trait Machine: Sync {
    /// What one thread works with.
    type Scratch: Send;
    /// A property that is ready to be asked.
    type Property: Send + Sync;

    /// How many bits a packed configuration has. It is kept in whole words, and unused bits are zero; equal
    /// configurations are equal words.
    fn bits(&self) -> usize;

    /// What a thread starts with.
    fn scratch(&self) -> Self::Scratch;

    /// The configurations to begin with, in order, each once; and whether there may be more, which are not tried.
    fn initial(&self) -> Result<(Vec<Packed>, bool), Gap>;

    /// Writes all steps from a configuration into an empty list, in an order that does not depend on what was done before.
    /// Two steps may show the same and lead to the same. `labels`: whether anybody wants to know what steps show.
    fn steps(
        &self,
        scratch: &mut Self::Scratch,
        from: &[u64],
        labels: bool,
        moves: &mut Moves,
    ) -> Result<(), Gap>;

    /// Chooses steps, by their numbers in a list of all steps from a configuration, such that the others can wait; whether
    /// some can. With [`Preserved::Property`], those that are chosen change nothing that the property reads; that no step
    /// waits for ever is up to the search.
    fn choose(
        &self,
        _scratch: &mut Self::Scratch,
        _from: &[u64],
        _order: &Preserved,
        _moves: &Moves,
        _chosen: &mut Vec<u32>,
    ) -> bool {
        false
    }

    /// Puts the one in the place of a configuration that stands for all that are like it; whether it is another one.
    fn stand_in(
        &self,
        _scratch: &mut Self::Scratch,
        _symmetries: &[Symmetry],
        _packed: &mut [u64],
    ) -> bool {
        false
    }

    /// A number that is the same for equal configurations in every run of the program, and spreads well.
    fn hash(&self, packed: &[u64]) -> u64;

    /// Whether all components are in final states.
    fn is_final(&self, packed: &[u64]) -> bool;

    /// Makes a property ready.
    fn property(&self, property: &Property) -> Result<Self::Property, Gap>;

    /// Whether a property holds; nothing where it reads what has no value.
    fn holds(
        &self,
        scratch: &mut Self::Scratch,
        property: &Self::Property,
        packed: &[u64],
    ) -> Result<Option<bool>, Gap>;

    /// A configuration as data.
    fn decode(&self, packed: &[u64]) -> Configuration;

    /// Makes a configuration ready to go to another process: it takes along the larger values that its words stand for.
    fn pack_up(&self, _packed: &mut [u64], _packing: &mut Packing) {}

    /// Takes over the larger values that came with configurations; nothing if they cannot be read.
    fn unpack(&self, _luggage: &Luggage) -> Option<Vec<u32>> {
        Some(Vec::new())
    }

    /// Makes a configuration that came from another process one of this one, with what was unpacked; whether all that it
    /// stands for was there.
    fn move_in(&self, _packed: &mut [u64], _arrived: &[u32]) -> bool {
        true
    }

    /// What a label says: what is shown, and what holes do.
    fn label(&self, label: &[u64]) -> (Value, Vec<(HoleId, Value)>);
}

/// The steps from a configuration.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// How many words a configuration has.
    words: usize,
    /// Where the steps lead, one after the other.
    targets: Vec<u64>,
    /// What they show, one after the other.
    labels: Vec<u64>,
    /// Where each label ends.
    ends: Vec<u32>,
    /// What each step is one of: steps that are made in the same way.
    ways: Vec<u32>,
    /// The way in which steps are made now.
    way: u32,
    /// Whether there may be more steps, with values that are not tried.
    pub limited: bool,
}

impl Moves {
    /// None yet, between configurations of so many words.
    pub fn new(words: usize) -> Moves {
        Moves { words, ..Moves::default() }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.targets.clear();
        self.labels.clear();
        self.ends.clear();
        self.ways.clear();
        self.way = 0;
        self.limited = false;
    }

    /// One more step.
    pub fn push(&mut self, target: &[u64], label: &[u64]) {
        debug_assert_eq!(target.len(), self.words);
        self.targets.extend_from_slice(target);
        self.labels.extend_from_slice(label);
        self.ends.push(self.labels.len() as u32);
        self.ways.push(self.way);
    }

    /// The steps from now on are made in this way.
    pub fn in_way(&mut self, way: u32) {
        self.way = way;
    }

    /// The ways in which the steps are made, one for each.
    pub fn ways(&self) -> &[u32] {
        &self.ways
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Where a step leads.
    pub fn target(&self, step: usize) -> &[u64] {
        &self.targets[step * self.words..(step + 1) * self.words]
    }

    /// Where a step leads, to be changed.
    pub fn target_mut(&mut self, step: usize) -> &mut [u64] {
        &mut self.targets[step * self.words..(step + 1) * self.words]
    }

    /// What a step shows.
    pub fn label(&self, step: usize) -> &[u64] {
        let start = if step == 0 { 0 } else { self.ends[step - 1] as usize };
        &self.labels[start..self.ends[step] as usize]
    }
}
