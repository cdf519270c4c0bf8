//! Values as single words.
//!
//! A word is an integer that fits, the bits of a value of a sort with few values, or a handle: the place of a larger
//! value in the [`Pool`](super::pool::Pool). Which of these it is can be told from the word alone, and equal values are
//! equal words.

/// A value.
pub(super) type Word = i64;

/// No value.
pub(super) const NONE: Word = i64::MIN;

/// Handles are this and more.
pub(super) const HANDLES: Word = 1 << 62;

/// Integers from the opposite of this to just before it are words as they are.
pub(super) const LARGE: Word = 1 << 61;

/// How many bits a value may have to be a word as it is.
pub(super) const MOST_BITS: u32 = 62;

/// Whether an integer is a word as it is.
pub(super) fn is_small(word: Word) -> bool {
    (-LARGE..LARGE).contains(&word)
}

/// The place of a larger value, where the word is a handle.
pub(super) fn place(word: Word) -> Option<u32> {
    (word >= HANDLES).then(|| (word - HANDLES) as u32)
}

/// The handle of a place.
pub(super) fn handle(place: u32) -> Word {
    HANDLES + Word::from(place)
}

/// A truth value.
pub(super) fn truth(value: bool) -> Word {
    Word::from(value)
}

/// How many bits it takes to tell so many values apart.
pub(super) fn bits_for(count: u64) -> u32 {
    64 - count.saturating_sub(1).leading_zeros()
}

/// A mask of so many bits.
pub(super) fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// Spreads a number over all bits; the same in every run.
pub(super) fn mixed(state: u64, word: u64) -> u64 {
    let product = u128::from(state ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
    (product as u64) ^ ((product >> 64) as u64)
}
