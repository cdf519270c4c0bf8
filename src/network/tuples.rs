//! Tuples of states, one for each part, packed: each field has as many bits as its part needs.

use crate::base::packed::{PackedStore, read_words, write_bytes};
use crate::base::{Id, IndexVec};
use crate::lts::LtsState;

/// Where the state of a part stands in the words of a tuple. No field goes across words.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: usize,
    shift: u32,
    mask: u64,
}

/// How tuples are laid out, each part under an id of type `I`.
#[derive(Clone, Debug)]
pub(super) struct Layout<I> {
    fields: IndexVec<I, Field>,
    words: usize,
    /// How many bytes a tuple has in the store.
    stride: usize,
}

impl<I: Id> Layout<I> {
    /// Tuples of parts with so many states each.
    pub fn new(states: impl IntoIterator<Item = usize>) -> Layout<I> {
        let (mut word, mut used) = (0, 0);
        let mut fields = IndexVec::default();
        for states in states {
            let bits = usize::BITS - states.saturating_sub(1).leading_zeros();
            if used + bits > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            // A shift by all bits is none of Rust's; a part with one state has no bits, and takes no place.
            let shift = if bits == 0 { 0 } else { used };
            fields.push(Field { word, shift, mask: (1u64 << bits) - 1 });
            used += bits;
        }
        let stride = (word * 8 + used.div_ceil(8) as usize).max(1);
        Layout { fields, words: word + 1, stride }
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.fields.len()
    }

    /// How many words a tuple has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The state of a part in a tuple.
    pub fn get(&self, words: &[u64], part: I) -> LtsState {
        let Field { word, shift, mask } = self.fields[part];
        LtsState((words[word] >> shift & mask) as u32)
    }

    /// Puts a part of a tuple into a state.
    pub fn set(&self, words: &mut [u64], part: I, state: LtsState) {
        let Field { word, shift, mask } = self.fields[part];
        words[word] = words[word] & !(mask << shift) | u64::from(state.0) << shift;
    }
}

/// The tuples that were met, each once, numbered as they were met.
#[derive(Debug)]
pub(super) struct TupleStore {
    all: PackedStore,
    /// The tuple that is asked for, as bytes.
    bytes: Vec<u8>,
}

impl TupleStore {
    pub fn new<I: Id>(layout: &Layout<I>) -> TupleStore {
        TupleStore { all: PackedStore::new(layout.stride), bytes: Vec::new() }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// The number of a tuple, which is new or known.
    pub fn number(&mut self, words: &[u64]) -> usize {
        let stride = self.all.stride();
        self.bytes.clear();
        write_bytes(words, stride, &mut self.bytes);
        let hash_of = |bytes: &[u8]| hash(bytes.chunks(8).map(word));
        self.all.add((hash_of(&self.bytes), &self.bytes), hash_of).0
    }

    /// Reads a tuple.
    pub fn read(&self, number: usize, words: &mut [u64]) {
        read_words(self.all.get(number), words);
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.all.bytes()
    }
}

fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// Spreads the bits of words over all bits of the result: the table uses the first ones and the last ones.
fn hash(words: impl Iterator<Item = u64>) -> u64 {
    let mix =
        |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let hash = words.fold(0, mix);
    (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

#[cfg(test)]
mod tests {
    use super::{Layout, TupleStore};
    use crate::lts::LtsState;
    use crate::network::NetworkPartId;

    #[test]
    fn what_is_put_into_a_field_is_there_and_nothing_else_changes() {
        let sizes = [1, 2, 3, 1 << 20, 1, 1 << 31, 5, 1 << 30, 1, 4, 257, 1];
        let layout: Layout<NetworkPartId> = Layout::new(sizes);
        let part = |at: usize| NetworkPartId(at as u32);
        let mut words = vec![0; layout.words()];
        for (at, size) in sizes.iter().enumerate() {
            layout.set(&mut words, part(at), LtsState((size - 1) as u32));
        }
        for (at, size) in sizes.iter().enumerate() {
            assert_eq!(layout.get(&words, part(at)), LtsState((size - 1) as u32));
            layout.set(&mut words, part(at), LtsState(0));
            assert_eq!(layout.get(&words, part(at)), LtsState(0));
            layout.set(&mut words, part(at), LtsState((size - 1) as u32));
        }
        let mut store = TupleStore::new(&layout);
        assert_eq!((store.number(&words), store.number(&words), store.len()), (0, 0, 1));
        let mut back = vec![0; layout.words()];
        store.read(0, &mut back);
        assert_eq!(back, words);
    }

    #[test]
    fn parts_of_one_state_need_no_room() {
        let layout: Layout<NetworkPartId> = Layout::new([1, 1]);
        let mut store = TupleStore::new(&layout);
        assert_eq!((store.number(&[0]), store.len()), (0, 1));
    }
}
