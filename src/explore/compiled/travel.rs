//! Configurations that go to another process, and come from one: larger values are taken along, and get handles there.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::Compiled;
use super::pool::{Item, Pool};
use super::word::{Word, handle, place};
use crate::explore::{Luggage, Packing, Unpacking};

const INT: u8 = 0;
const DATA: u8 = 1;
const DENSE: u8 = 2;
const FROM: u8 = 3;
const SPARSE: u8 = 4;

/// A word as it is.
const HERE: u8 = 0;
/// The place of a larger value in the luggage.
const LARGER: u8 = 1;

impl Compiled<'_> {
    /// Has the words speak of what is in the luggage where they speak of values in the pool.
    pub(super) fn packed_up(&self, packed: &mut [u64], packing: &mut Packing) {
        for &number in &self.pooled {
            let field = self.places.fields[number as usize];
            let Some(at) = field.place(packed) else { continue };
            pack(&self.pool, at, packing);
            if let Some(at) = packing.place(at) {
                field.put_place(packed, at);
            }
        }
    }

    /// The other way round, with the places in the pool of what was in the luggage; whether all of it was there.
    pub(super) fn moved_in(&self, packed: &mut [u64], arrived: &[u32]) -> bool {
        self.pooled.iter().all(|&number| {
            let field = self.places.fields[number as usize];
            let Some(at) = field.place(packed) else { return true };
            let known = arrived.get(at as usize);
            known.inspect(|&&at| field.put_place(packed, at)).is_some()
        })
    }

    /// Puts what is in the luggage into the pool; nothing if it cannot be read.
    pub(super) fn unpacked(&self, luggage: &Luggage) -> Option<Vec<u32>> {
        let mut unpacking = Unpacking::new(luggage);
        let mut arrived = Vec::new();
        for _ in 0..luggage.count {
            let item = read(&mut unpacking, &arrived)?;
            arrived.push(place(self.pool.add(item))?);
        }
        unpacking.is_empty().then_some(arrived)
    }
}

/// Packs a value with all that it is made of, which goes first. Values can be deep, so this does not recurse.
fn pack(pool: &Pool, number: u32, packing: &mut Packing) {
    let mut work = vec![number];
    while let Some(&at) = work.last() {
        let before = work.len();
        let item = pool.get(handle(at)).filter(|_| packing.place(at).is_none());
        if let Some(item) = item {
            let inside = words_of(item).filter_map(place);
            work.extend(inside.filter(|&inner| packing.place(inner).is_none()));
        }
        if work.len() == before {
            item.into_iter().for_each(|item| packing.add(at, |out, known| write(item, out, known)));
            work.pop();
        }
    }
}

/// The words that a value is made of.
fn words_of(item: &Item) -> impl Iterator<Item = Word> {
    let (first, all, pairs): (Option<Word>, &[Word], &[(Word, Word)]) = match item {
        Item::Int(_) => (None, &[], &[]),
        Item::Data(_, words) | Item::Dense(words) => (None, words, &[]),
        Item::From(low, words) => (Some(*low), words, &[]),
        Item::Sparse(rest, places) => (Some(*rest), &[], places),
    };
    let pairs = pairs.iter().flat_map(|&(key, value)| [key, value]);
    first.into_iter().chain(all.iter().copied()).chain(pairs)
}

fn write(item: &Item, out: &mut Vec<u8>, known: &FxHashMap<u32, u32>) {
    let count = |out: &mut Vec<u8>, count: usize| {
        out.extend_from_slice(&(count as u32).to_le_bytes());
    };
    match item {
        Item::Int(value) => {
            let bytes = value.to_signed_bytes_le();
            out.push(INT);
            count(out, bytes.len());
            return out.extend_from_slice(&bytes);
        }
        Item::Data(tag, words) => {
            out.push(DATA);
            out.extend_from_slice(&tag.to_le_bytes());
            count(out, words.len());
        }
        Item::Dense(words) => {
            out.push(DENSE);
            count(out, words.len());
        }
        Item::From(_, words) => {
            out.push(FROM);
            count(out, words.len());
        }
        Item::Sparse(_, places) => {
            out.push(SPARSE);
            count(out, places.len());
        }
    }
    words_of(item).for_each(|word| write_word(word, out, known));
}

fn write_word(word: Word, out: &mut Vec<u8>, known: &FxHashMap<u32, u32>) {
    match place(word).and_then(|at| known.get(&at)) {
        Some(at) => {
            out.push(LARGER);
            out.extend_from_slice(&at.to_le_bytes());
        }
        None => {
            out.push(HERE);
            out.extend_from_slice(&word.to_le_bytes());
        }
    }
}

fn read(from: &mut Unpacking<'_>, arrived: &[u32]) -> Option<Item> {
    let words = |from: &mut Unpacking<'_>, count: usize| -> Option<Box<[Word]>> {
        (0..count).map(|_| read_word(from, arrived)).collect()
    };
    match from.byte()? {
        INT => {
            let count = from.many()?;
            Some(Item::Int(BigInt::from_signed_bytes_le(from.bytes(count)?)))
        }
        DATA => {
            let (tag, count) = (from.short()?, from.many()?);
            Some(Item::Data(tag, words(from, count)?))
        }
        DENSE => {
            let count = from.many()?;
            Some(Item::Dense(words(from, count)?))
        }
        FROM => {
            let count = from.many()?;
            let low = read_word(from, arrived)?;
            Some(Item::From(low, words(from, count)?))
        }
        SPARSE => {
            let count = from.many()?;
            let rest = read_word(from, arrived)?;
            let pair = |from: &mut Unpacking<'_>| {
                Some((read_word(from, arrived)?, read_word(from, arrived)?))
            };
            let places: Option<Vec<(Word, Word)>> = (0..count).map(|_| pair(from)).collect();
            // They are in the order of their words, which are others here.
            let mut places = places?;
            places.sort_unstable();
            Some(Item::Sparse(rest, places.into()))
        }
        _ => None,
    }
}

fn read_word(from: &mut Unpacking<'_>, arrived: &[u32]) -> Option<Word> {
    match from.byte()? {
        HERE => from.long().filter(|&word| place(word).is_none()),
        LARGER => arrived.get(from.short()? as usize).map(|&at| handle(at)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::{pack, read};
    use crate::explore::compiled::pool::{Item, Pool};
    use crate::explore::compiled::word::{Word, place};
    use crate::explore::{Luggage, Packing, Unpacking};

    fn sent(from: &Pool, word: Word, to: &Pool) -> Option<Word> {
        let mut packing = Packing::default();
        let number = place(word).unwrap();
        pack(from, number, &mut packing);
        let last = packing.place(number).unwrap() as usize;
        let arrived = unpacked(&packing.done(), to)?;
        Some(super::handle(arrived[last]))
    }

    fn unpacked(luggage: &Luggage, to: &Pool) -> Option<Vec<u32>> {
        let (mut unpacking, mut arrived) = (Unpacking::new(luggage), Vec::new());
        for _ in 0..luggage.count {
            arrived.push(place(to.add(read(&mut unpacking, &arrived)?))?);
        }
        unpacking.is_empty().then_some(arrived)
    }

    /// Values of all kinds, which get other handles where others came first.
    fn all(pool: &Pool, first: u32) -> Vec<Word> {
        let large = |n: u32| pool.int(&-(BigInt::from(n) << 80_u32));
        for n in 0..first {
            large(n + 100);
        }
        let (a, b) = (large(2), large(1));
        let pair = pool.add(Item::Data(3, [a, 7, b].into()));
        let dense = pool.add(Item::Dense([pair, a, -5].into()));
        let from = pool.add(Item::From(-3, [pair, b].into()));
        let mut places = [(a, dense), (b, 1), (9, from)];
        places.sort_unstable();
        let sparse = pool.add(Item::Sparse(pair, places.into()));
        vec![a, pair, dense, from, sparse]
    }

    #[test]
    fn values_arrive_as_what_they_were() {
        let (here, there) = (Pool::default(), Pool::default());
        let known = all(&there, 5);
        for (word, expected) in all(&here, 0).into_iter().zip(known) {
            assert_ne!(word, expected);
            assert_eq!(sent(&here, word, &there), Some(expected));
            assert_eq!(here.hash(word), there.hash(expected));
        }
    }

    #[test]
    fn a_long_list_arrives() {
        let (here, there) = (Pool::default(), Pool::default());
        there.int(&(BigInt::from(1) << 90_u32));
        let list =
            |pool: &Pool| (0..200_000).fold(0, |rest, n| pool.add(Item::Data(1, [n, rest].into())));
        let expected = list(&there);
        assert_eq!(sent(&here, list(&here), &there), Some(expected));
    }

    #[test]
    fn what_is_cut_or_changed_is_no_panic() {
        let (here, there) = (Pool::default(), Pool::default());
        let last = *all(&here, 0).last().unwrap();
        let mut packing = Packing::default();
        pack(&here, place(last).unwrap(), &mut packing);
        let whole = packing.done();
        for end in 0..whole.bytes.len() {
            let cut = Luggage { bytes: whole.bytes[..end].to_vec(), count: whole.count };
            assert_eq!(unpacked(&cut, &there), None, "cut at {end}");
            let mut changed = whole.clone();
            changed.bytes[end] ^= 0x81;
            // Whether it can still be read depends on the byte; it must only not break.
            let _ = unpacked(&changed, &there);
        }
    }
}
