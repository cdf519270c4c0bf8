//! The configurations that were met, packed, each once.
//!
//! A store has a fixed number of shards, chosen by the hash. Threads fill different shards at the same time; since the
//! number is fixed, and each shard is filled in a fixed order, what a configuration is called does not depend on how many
//! threads there are.

use hashbrown::HashTable;

/// How many shards there are.
pub(super) const SHARDS: usize = 32;

/// How many configurations stand side by side: memory grows by so many at a time, and is never copied.
const SEGMENT: usize = 1 << 12;

/// A configuration in the store: the place in its shard, and the shard.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Ref(u32);

impl Ref {
    /// What stands for none: a configuration to begin with has no parent.
    pub(super) const NONE: Ref = Ref(u32::MAX);

    /// The configuration at a place of a shard.
    pub(super) fn new(shard: usize, place: usize) -> Ref {
        Ref((place * SHARDS + shard) as u32)
    }

    /// The configuration at a place of a store that has one shard only.
    pub(super) fn alone(place: u32) -> Ref {
        Ref(place)
    }

    /// The place in a store that has one shard only.
    pub(super) fn alone_place(self) -> usize {
        self.0 as usize
    }

    /// The shard.
    pub(super) fn shard(self) -> usize {
        self.0 as usize % SHARDS
    }

    /// The place in the shard.
    pub(super) fn place(self) -> usize {
        self.0 as usize / SHARDS
    }
}

/// The shard of a hash. The table inside uses other bits.
pub(super) fn shard_of(hash: u64) -> usize {
    (hash >> 32) as usize % SHARDS
}

/// A part of the store.
#[derive(Debug, Default)]
pub(super) struct Shard {
    /// How many bytes a configuration has.
    stride: usize,
    segments: Vec<Vec<u8>>,
    table: HashTable<u32>,
    parents: Vec<Ref>,
    /// The places of the level that is looked at.
    current: std::ops::Range<usize>,
    /// For each level that has something here, in order, where it ends.
    ends: Vec<(u32, u32)>,
}

impl Shard {
    pub fn new(stride: usize) -> Shard {
        Shard { stride, ..Shard::default() }
    }

    /// How many bytes a configuration has.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// How many configurations it has.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// A configuration.
    pub fn get(&self, place: usize) -> &[u8] {
        let start = place % SEGMENT * self.stride;
        &self.segments[place / SEGMENT][start..start + self.stride]
    }

    /// Where a configuration was reached from.
    pub fn parent(&self, place: usize) -> Ref {
        self.parents[place]
    }

    /// It is reached from elsewhere.
    pub fn set_parent(&mut self, place: usize, parent: Ref) {
        self.parents[place] = parent;
    }

    /// A configuration, if it is here.
    pub fn find(&self, hash: u64, bytes: &[u8]) -> Option<usize> {
        self.table.find(hash, |&place| self.get(place as usize) == bytes).map(|&at| at as usize)
    }

    /// Adds a configuration, unless it is here; whether it is new.
    pub fn add(
        &mut self,
        (hash, bytes): (u64, &[u8]),
        parent: Ref,
        hash_of: impl Fn(&[u8]) -> u64,
    ) -> bool {
        if self.find(hash, bytes).is_some() {
            return false;
        }
        let place = self.len();
        if place.is_multiple_of(SEGMENT) {
            // The first ones are small: most searches end early.
            let first = if place == 0 { 0 } else { SEGMENT * self.stride };
            self.segments.push(Vec::with_capacity(first));
        }
        if let Some(last) = self.segments.last_mut() {
            last.extend_from_slice(bytes);
        }
        self.parents.push(parent);
        let (segments, stride) = (&self.segments, self.stride);
        self.table.insert_unique(hash, place as u32, |&at| {
            let start = at as usize % SEGMENT * stride;
            hash_of(&segments[at as usize / SEGMENT][start..start + stride])
        });
        true
    }

    /// A level has ended: what came since the last one belongs to it, and is looked at now.
    pub fn end_level(&mut self, level: u32) {
        self.current = self.current.end..self.len();
        if !self.current.is_empty() {
            self.ends.push((level, self.len() as u32));
        }
    }

    /// The places of the level that is looked at.
    pub fn current(&self) -> std::ops::Range<usize> {
        self.current.clone()
    }

    /// Whether something came since a level ended.
    pub fn has_next(&self) -> bool {
        self.current.end < self.len()
    }

    /// The levels that have something here, with where they end.
    pub fn levels(&self) -> &[(u32, u32)] {
        &self.ends
    }

    /// How many bytes it takes: configurations, their entries in the table, and where they come from.
    pub fn bytes(&self) -> usize {
        let segments: usize = self.segments.iter().map(Vec::capacity).sum();
        segments + self.table.allocation_size() + self.parents.capacity() * size_of::<Ref>()
    }
}

/// Writes the words of a configuration as bytes.
pub(super) fn write_bytes(words: &[u64], stride: usize, bytes: &mut Vec<u8>) {
    let whole = stride / 8;
    for word in &words[..whole] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    if !stride.is_multiple_of(8) {
        bytes.extend_from_slice(&words[whole].to_le_bytes()[..stride % 8]);
    }
}

/// Reads bytes as words.
pub(super) fn read_words(bytes: &[u8], words: &mut [u64]) {
    words.fill(0);
    for (at, part) in bytes.chunks(8).enumerate() {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        words[at] = u64::from_le_bytes(word);
    }
}

#[cfg(test)]
mod tests {
    use super::{Ref, SEGMENT, SHARDS, Shard, read_words, write_bytes};

    #[test]
    fn words_and_bytes_are_the_same() {
        for stride in 1..20 {
            let words: Vec<u64> = (0..3).map(|at| 0x0123_4567_89ab_cdef << at).collect();
            let mut bytes = Vec::new();
            write_bytes(&words, stride, &mut bytes);
            assert_eq!(bytes.len(), stride);
            let mut back = vec![7; stride.div_ceil(8)];
            read_words(&bytes, &mut back);
            let mut again = Vec::new();
            write_bytes(&back, stride, &mut again);
            assert_eq!(bytes, again);
        }
    }

    #[test]
    fn each_is_kept_once_and_found_again() {
        let mut shard = Shard::new(3);
        let bytes = |n: usize| [n as u8, (n >> 8) as u8, 7];
        let hash = |bytes: &[u8]| (u64::from(bytes[0]) | u64::from(bytes[1]) << 8) * 0x9e37_79b9;
        for round in 0..2 {
            for n in 0..3 * SEGMENT {
                let new = shard.add((hash(&bytes(n)), &bytes(n)), Ref::new(1, n), hash);
                assert_eq!(new, round == 0);
            }
        }
        assert_eq!(shard.len(), 3 * SEGMENT);
        for n in 0..3 * SEGMENT {
            assert_eq!(shard.find(hash(&bytes(n)), &bytes(n)), Some(n));
            assert_eq!((shard.get(n), shard.parent(n)), (&bytes(n)[..], Ref::new(1, n)));
        }
        assert_eq!((Ref::new(5, 70).shard(), Ref::new(5, 70).place()), (5, 70));
        assert!(shard.len() < u32::MAX as usize / SHARDS);
    }
}
