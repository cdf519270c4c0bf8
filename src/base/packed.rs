//! Things of the same size in bytes, each kept once: the configurations or tuples of states that were met.

use hashbrown::HashTable;

/// How many stand side by side: memory grows by so many at a time, and is never copied.
const SEGMENT: usize = 1 << 12;

/// Things of the same size, each kept once. The first has place 0, and so on.
#[derive(Debug, Default)]
pub struct PackedStore {
    /// How many bytes each has.
    stride: usize,
    segments: Vec<Vec<u8>>,
    table: HashTable<u32>,
}

impl PackedStore {
    /// Nothing yet, each of so many bytes.
    pub fn new(stride: usize) -> PackedStore {
        PackedStore { stride, ..PackedStore::default() }
    }

    /// How many bytes each has.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// What is at a place.
    pub fn get(&self, place: usize) -> &[u8] {
        let start = place % SEGMENT * self.stride;
        &self.segments[place / SEGMENT][start..start + self.stride]
    }

    /// Where something is, if it is here.
    pub fn find(&self, hash: u64, bytes: &[u8]) -> Option<usize> {
        self.table.find(hash, |&place| self.get(place as usize) == bytes).map(|&at| at as usize)
    }

    /// Adds something, unless it is here; where it is, and whether it is new.
    pub fn add(
        &mut self,
        (hash, bytes): (u64, &[u8]),
        hash_of: impl Fn(&[u8]) -> u64,
    ) -> (usize, bool) {
        if let Some(place) = self.find(hash, bytes) {
            return (place, false);
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
        let (segments, stride) = (&self.segments, self.stride);
        self.table.insert_unique(hash, place as u32, |&at| {
            let start = at as usize % SEGMENT * stride;
            hash_of(&segments[at as usize / SEGMENT][start..start + stride])
        });
        (place, true)
    }

    /// How many bytes it takes: what it keeps, and the entries in its table.
    pub fn bytes(&self) -> usize {
        let segments: usize = self.segments.iter().map(Vec::capacity).sum();
        segments + self.table.allocation_size()
    }
}

/// Writes words as so many bytes.
pub fn write_bytes(words: &[u64], stride: usize, bytes: &mut Vec<u8>) {
    let whole = stride / 8;
    for word in &words[..whole] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    if !stride.is_multiple_of(8) {
        bytes.extend_from_slice(&words[whole].to_le_bytes()[..stride % 8]);
    }
}

/// Reads bytes as words.
pub fn read_words(bytes: &[u8], words: &mut [u64]) {
    words.fill(0);
    for (at, part) in bytes.chunks(8).enumerate() {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        words[at] = u64::from_le_bytes(word);
    }
}

#[cfg(test)]
mod tests {
    use super::{PackedStore, SEGMENT, read_words, write_bytes};

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
        let mut packed = PackedStore::new(3);
        let bytes = |n: usize| [n as u8, (n >> 8) as u8, 7];
        let hash = |bytes: &[u8]| (u64::from(bytes[0]) | u64::from(bytes[1]) << 8) * 0x9e37_79b9;
        for round in 0..2 {
            for n in 0..3 * SEGMENT {
                let added = packed.add((hash(&bytes(n)), &bytes(n)), hash);
                assert_eq!(added, (n, round == 0));
            }
        }
        assert_eq!(packed.len(), 3 * SEGMENT);
        for n in 0..3 * SEGMENT {
            assert_eq!(packed.find(hash(&bytes(n)), &bytes(n)), Some(n));
            assert_eq!(packed.get(n), &bytes(n)[..]);
        }
    }
}
