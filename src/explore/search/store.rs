//! The configurations that were met, packed, each once.
//!
//! A store has a fixed number of shards, chosen by the hash. Threads fill different shards at the same time; since the
//! number is fixed, and each shard is filled in a fixed order, what a configuration is called does not depend on how many
//! threads there are.

use crate::base::packed::PackedStore;
pub(super) use crate::base::packed::{read_words, write_bytes};

/// How many shards there are.
pub(super) const SHARDS: usize = 32;

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
    all: PackedStore,
    parents: Vec<Ref>,
    /// The places of the level that is looked at.
    current: std::ops::Range<usize>,
    /// For each level that has something here, in order, where it ends.
    ends: Vec<(u32, u32)>,
}

impl Shard {
    pub fn new(stride: usize) -> Shard {
        Shard { all: PackedStore::new(stride), ..Shard::default() }
    }

    /// How many bytes a configuration has.
    pub fn stride(&self) -> usize {
        self.all.stride()
    }

    /// How many configurations it has.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// A configuration.
    pub fn get(&self, place: usize) -> &[u8] {
        self.all.get(place)
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
        self.all.find(hash, bytes)
    }

    /// Adds a configuration, unless it is here; whether it is new.
    pub fn add(
        &mut self,
        entry: (u64, &[u8]),
        parent: Ref,
        hash_of: impl Fn(&[u8]) -> u64,
    ) -> bool {
        let (_, is_new) = self.all.add(entry, hash_of);
        if is_new {
            self.parents.push(parent);
        }
        is_new
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
        self.all.bytes() + self.parents.capacity() * size_of::<Ref>()
    }
}

#[cfg(test)]
mod tests {
    use super::{Ref, SHARDS, Shard};

    #[test]
    fn each_is_kept_once_with_where_it_came_from() {
        let mut shard = Shard::new(2);
        let bytes = |n: usize| [n as u8, (n >> 8) as u8];
        let hash = |bytes: &[u8]| (u64::from(bytes[0]) | u64::from(bytes[1]) << 8) * 0x9e37_79b9;
        for round in 0..2 {
            for n in 0..1000 {
                let new = shard.add((hash(&bytes(n)), &bytes(n)), Ref::new(1, n), hash);
                assert_eq!(new, round == 0);
            }
        }
        for n in 0..1000 {
            assert_eq!(shard.find(hash(&bytes(n)), &bytes(n)), Some(n));
            assert_eq!((shard.get(n), shard.parent(n)), (&bytes(n)[..], Ref::new(1, n)));
        }
        assert_eq!((shard.len(), shard.stride()), (1000, 2));
        assert_eq!((Ref::new(5, 70).shard(), Ref::new(5, 70).place()), (5, 70));
        assert!(shard.len() < u32::MAX as usize / SHARDS);
    }
}
