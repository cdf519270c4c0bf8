//! Values that are larger than a word, each once: equal values have equal handles.
//!
//! Threads share a pool. What is in it is read without a lock, and never moves. Handles depend on who came first, so each
//! value has a hash of what it is, which does not.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use hashbrown::HashTable;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::word::{LARGE, NONE, Word, handle, is_small, mixed, place};

/// A value that is larger than a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// An integer.
    Int(BigInt),
    /// What a constructor makes.
    Data(u32, Box<[Word]>),
    /// An array, place by place.
    Dense(Box<[Word]>),
    /// An array from this place on, place by place.
    From(Word, Box<[Word]>),
    /// An array that is the same almost everywhere: what is elsewhere, and what differs, in order.
    Sparse(Word, Box<[(Word, Word)]>),
}

/// An item with the hash of what it is.
struct Kept {
    item: Item,
    hash: u64,
}

/// How many tables there are, so that threads seldom wait for each other.
const SHARDS: usize = 16;
/// The first chunk has so many places as a power of two, each other one twice as many as the one before.
const FIRST: u32 = 6;
const CHUNKS: usize = 25;

/// All larger values.
pub(super) struct Pool {
    shards: [Mutex<HashTable<u32>>; SHARDS],
    chunks: [OnceLock<Box<[OnceLock<Kept>]>>; CHUNKS],
    next: AtomicU32,
}

impl Default for Pool {
    fn default() -> Pool {
        Pool {
            shards: std::array::from_fn(|_| Mutex::default()),
            chunks: std::array::from_fn(|_| OnceLock::new()),
            next: AtomicU32::new(0),
        }
    }
}

/// The chunk of a place, and the place in it.
fn chunk(place: u32) -> (usize, usize) {
    let at = u64::from(place) + (1 << FIRST);
    let top = 63 - at.leading_zeros();
    ((top - FIRST) as usize, (at - (1 << top)) as usize)
}

impl Pool {
    fn kept(&self, place: u32) -> Option<&Kept> {
        let (chunk, at) = chunk(place);
        self.chunks.get(chunk)?.get()?.get(at)?.get()
    }

    /// What a handle stands for.
    pub fn get(&self, word: Word) -> Option<&Item> {
        Some(&self.kept(place(word)?)?.item)
    }

    /// A number that is the same for a value in every run.
    pub fn hash(&self, word: Word) -> u64 {
        match place(word).and_then(|place| self.kept(place)) {
            Some(kept) => kept.hash,
            None => mixed(1, word as u64),
        }
    }

    fn hash_of(&self, item: &Item) -> u64 {
        let all = |start: u64, words: &[Word]| {
            words.iter().fold(start, |hash, &word| mixed(hash, self.hash(word)))
        };
        match item {
            Item::Int(value) => value
                .iter_u64_digits()
                .fold(mixed(2, u64::from(value.sign() == num_bigint::Sign::Minus)), mixed),
            Item::Data(tag, fields) => all(mixed(3, u64::from(*tag)), fields),
            Item::Dense(places) => all(4, places),
            Item::From(low, places) => all(mixed(6, self.hash(*low)), places),
            // Handles have no order of their own, so the order of the places must not matter.
            Item::Sparse(rest, places) => {
                places.iter().fold(mixed(5, self.hash(*rest)), |hash, &(key, value)| {
                    hash.wrapping_add(mixed(self.hash(key), self.hash(value)))
                })
            }
        }
    }

    /// The handle of an item. There is none when the pool is full.
    pub fn add(&self, item: Item) -> Word {
        let hash = self.hash_of(&item);
        let shard = &self.shards[(hash >> 60) as usize % SHARDS];
        let mut table = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it =
            |place: &u32| self.kept(*place).is_some_and(|k| k.hash == hash && k.item == item);
        if let Some(&known) = table.find(hash, is_it) {
            return handle(known);
        }
        let place = self.next.fetch_add(1, Ordering::Relaxed);
        let (number, at) = chunk(place);
        let Some(cell) = self.chunks.get(number) else {
            self.next.fetch_sub(1, Ordering::Relaxed);
            return NONE;
        };
        let size = 1_usize << (number as u32 + FIRST);
        let places = cell.get_or_init(|| (0..size).map(|_| OnceLock::new()).collect());
        if places.get(at).is_none_or(|cell| cell.set(Kept { item, hash }).is_err()) {
            return NONE;
        }
        table.insert_unique(hash, place, |&other| self.kept(other).map_or(0, |kept| kept.hash));
        handle(place)
    }

    /// The word of an integer.
    pub fn int(&self, value: &BigInt) -> Word {
        match value.to_i64().filter(|&value| is_small(value)) {
            Some(small) => small,
            None => self.add(Item::Int(value.clone())),
        }
    }

    /// The same for one that is not too large.
    pub fn small(&self, value: i64) -> Word {
        if is_small(value) { value } else { self.add(Item::Int(BigInt::from(value))) }
    }

    /// The integer that a word stands for.
    pub fn to_int(&self, word: Word) -> Option<BigInt> {
        match self.get(word) {
            Some(Item::Int(value)) => Some(value.clone()),
            Some(_) => None,
            None => (word < LARGE && word != NONE).then(|| BigInt::from(word)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Item, Pool, chunk};
    use num_bigint::BigInt;

    #[test]
    fn equal_values_have_equal_handles_and_stay_where_they_are() {
        let pool = Pool::default();
        let words: Vec<_> = (0..5000_u64).map(|n| pool.int(&(BigInt::from(n) << 70_u32))).collect();
        for (n, &word) in words.iter().enumerate() {
            assert_eq!(pool.int(&(BigInt::from(n) << 70_u32)), word);
            assert_eq!(pool.to_int(word), Some(BigInt::from(n) << 70_u32));
        }
        let pair = pool.add(Item::Data(1, [words[3], 4].into()));
        assert_eq!(pool.add(Item::Data(1, [words[3], 4].into())), pair);
        assert_ne!(pool.add(Item::Data(1, [words[4], 4].into())), pair);
        assert_eq!(pool.int(&BigInt::from(7)), 7);
    }

    #[test]
    fn chunks_follow_each_other() {
        let mut before = (0, 0);
        for place in 1..100_000 {
            let (number, at) = chunk(place);
            assert!((number, at) == (before.0, before.1 + 1) || (number, at) == (before.0 + 1, 0));
            before = (number, at);
        }
    }

    #[test]
    fn hashes_do_not_depend_on_who_came_first() {
        let (one, other) = (Pool::default(), Pool::default());
        let large = |n: u32| BigInt::from(n) << 80_u32;
        let [a, b] = [1, 2].map(|n| one.int(&large(n)));
        let [y, x] = [2, 1].map(|n| other.int(&large(n)));
        assert_ne!(a, x);
        let [first, second] = [
            one.hash(one.add(Item::Sparse(0, [(a, 1), (b, 2)].into()))),
            other.hash(other.add(Item::Sparse(0, [(y, 2), (x, 1)].into()))),
        ];
        assert_eq!(first, second);
    }
}
