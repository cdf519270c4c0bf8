//! Packed configurations: where each state and each variable is.

use super::layout::{LayoutId, Layouts, Shape};
use super::pool::{Item, Pool};
use super::word::{Word, bits_for, handle, is_small, mask, mixed, place};

/// Integers and handles have so many bits in a configuration.
const WIDE: u32 = 32;
/// Integers from the opposite of this to just before it are kept as they are.
const INLINE: Word = 1 << 30;

/// How a value is kept in a configuration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// As a number, counted from this one, of so many.
    Plain(Word, u64),
    /// As an integer, or its place in the pool where it is large.
    Int,
    /// As a place in the pool.
    Handle,
}

/// Where something is in a configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub word: u32,
    shift: u32,
    mask: u64,
    kind: Kind,
}

/// What is to be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    kind: Kind,
    bits: u32,
}

impl Wanted {
    /// One of so many states.
    pub fn state(count: usize) -> Wanted {
        Wanted { kind: Kind::Plain(0, count as u64), bits: bits_for(count as u64) }
    }

    /// A value.
    pub fn value(layouts: &Layouts, id: LayoutId) -> Wanted {
        let layout = layouts.get(id);
        let packed = |low: Word, count: Option<u64>, bits: u32| Wanted {
            kind: Kind::Plain(low, count.unwrap_or(1 << bits)),
            bits,
        };
        match (&layout.shape, layout.bits) {
            (Shape::Range(low), Some(bits)) => packed(*low, layout.count, bits),
            (Shape::Abstract(_), bits) => packed(0, None, bits.unwrap_or(WIDE)),
            (_, Some(bits)) => packed(0, None, bits),
            (Shape::Int | Shape::Loose(..) | Shape::Range(_), None) => {
                Wanted { kind: Kind::Int, bits: WIDE }
            }
            (_, None) => Wanted { kind: Kind::Handle, bits: WIDE },
        }
    }
}

/// Finds places for all of these, the largest first, none across two words; and how many words there are.
pub(super) fn placed(wanted: &[Wanted]) -> (Vec<Field>, usize) {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(wanted[at].bits));
    let mut used: Vec<u32> = vec![0];
    let none = Field { word: 0, shift: 0, mask: 0, kind: Kind::Handle };
    let mut fields = vec![none; wanted.len()];
    let mut first = 0;
    for at in order {
        let Wanted { kind, bits } = wanted[at];
        while used[first] >= 64 && first + 1 < used.len() {
            first += 1;
        }
        let free = (first..used.len()).find(|&word| used[word] + bits <= 64);
        let word = free.unwrap_or_else(|| {
            used.push(0);
            used.len() - 1
        });
        let shift = if used[word] >= 64 { 0 } else { used[word] };
        fields[at] = Field { word: word as u32, shift, mask: mask(bits), kind };
        used[word] += bits;
    }
    (fields, used.len())
}

impl Field {
    /// The number that is kept.
    #[inline]
    pub fn bits(&self, from: &[u64]) -> u64 {
        (from[self.word as usize] >> self.shift) & self.mask
    }

    /// What is kept, as a value.
    #[inline]
    pub fn load(&self, from: &[u64], pool: &Pool) -> Word {
        let bits = self.bits(from);
        match self.kind {
            Kind::Plain(low, _) => bits as Word + low,
            Kind::Int if bits >> 31 == 0 => bits as Word - INLINE,
            Kind::Int => {
                let word = handle((bits & mask(31)) as u32);
                match pool.get(word) {
                    Some(Item::Int(value)) => pool.int(value),
                    _ => word,
                }
            }
            Kind::Handle => handle(bits as u32),
        }
    }

    /// The number that a value is kept as; nothing if it does not belong there.
    #[inline]
    pub fn to_bits(self, word: Word, pool: &Pool) -> Option<u64> {
        match self.kind {
            Kind::Plain(low, count) => {
                let bits = word.wrapping_sub(low) as u64;
                (bits < count).then_some(bits)
            }
            Kind::Int if (-INLINE..INLINE).contains(&word) => Some((word + INLINE) as u64),
            Kind::Int => self.large(word, pool),
            Kind::Handle => place(word).map(u64::from),
        }
    }

    fn large(self, word: Word, pool: &Pool) -> Option<u64> {
        let word = if is_small(word) { pool.add(Item::Int(word.into())) } else { word };
        place(word).filter(|&place| place < 1 << 31).map(|place| u64::from(place) | 1 << 31)
    }

    /// Puts a number there.
    #[inline]
    pub fn put(self, target: &mut [u64], bits: u64) {
        let word = &mut target[self.word as usize];
        *word = (*word & !(self.mask << self.shift)) | (bits << self.shift);
    }

    /// The mask of its bits in its word, and a number in their place.
    pub fn in_place(self, bits: u64) -> (u64, u64) {
        (self.mask << self.shift, bits << self.shift)
    }

    /// Whether what is kept may be a place in the pool.
    pub fn may_be_pooled(self) -> bool {
        !matches!(self.kind, Kind::Plain(..))
    }

    /// The place in the pool of what is kept, if it is there.
    pub fn place(&self, from: &[u64]) -> Option<u32> {
        let bits = self.bits(from);
        match self.kind {
            Kind::Plain(..) => None,
            Kind::Int => (bits >> 31 != 0).then_some((bits & mask(31)) as u32),
            Kind::Handle => Some(bits as u32),
        }
    }

    /// Puts another place in the pool there, where there is one.
    pub fn put_place(self, target: &mut [u64], place: u32) {
        match self.kind {
            Kind::Plain(..) => {}
            Kind::Int => self.put(target, u64::from(place) | 1 << 31),
            Kind::Handle => self.put(target, u64::from(place)),
        }
    }

    /// A hash of a pooled value, which is the same in every run; nothing if it is none.
    pub fn hash(&self, from: &[u64], pool: &Pool) -> Option<u64> {
        self.place(from).map(|place| pool.hash(handle(place)))
    }
}

/// A hash of words.
#[inline]
pub(super) fn hash(words: &[u64]) -> u64 {
    words.iter().fold(words.len() as u64, |hash, &word| mixed(hash, word))
}
