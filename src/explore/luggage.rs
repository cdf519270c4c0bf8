//! What configurations take along to another process: the larger values that their words stand for.
//!
//! A word of a configuration may be the number of a larger value, which is known by it in this process only. On the way
//! it is the place of that value in the luggage instead. In the luggage a value speaks only of those before it, so that
//! they are unpacked one after the other, however deep they are.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Larger values on their way, as bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Luggage {
    /// The values, one after the other.
    pub bytes: Vec<u8>,
    /// How many there are.
    pub count: u32,
}

/// Luggage while it is packed: each value is taken along once.
#[derive(Clone, Debug, Default)]
pub struct Packing {
    luggage: Luggage,
    places: FxHashMap<u32, u32>,
}

impl Packing {
    /// Where a value is in the luggage, by its number in this process.
    pub fn place(&self, number: u32) -> Option<u32> {
        self.places.get(&number).copied()
    }

    /// Takes along one more value, which is written by whoever knows how.
    pub fn add(&mut self, number: u32, write: impl FnOnce(&mut Vec<u8>, &FxHashMap<u32, u32>)) {
        write(&mut self.luggage.bytes, &self.places);
        self.places.insert(number, self.luggage.count);
        self.luggage.count += 1;
    }

    /// All that was packed.
    pub fn done(self) -> Luggage {
        self.luggage
    }
}

/// Reads luggage from its beginning on. Where there is nothing more, or nothing that fits, there is nothing.
#[derive(Clone, Copy, Debug)]
pub struct Unpacking<'b> {
    rest: &'b [u8],
}

impl<'b> Unpacking<'b> {
    /// Nothing is read yet.
    pub fn new(luggage: &'b Luggage) -> Unpacking<'b> {
        Unpacking { rest: &luggage.bytes }
    }

    /// So many bytes.
    pub fn bytes(&mut self, count: usize) -> Option<&'b [u8]> {
        let (first, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(first)
    }

    /// A byte.
    pub fn byte(&mut self) -> Option<u8> {
        self.bytes(1).map(|bytes| bytes[0])
    }

    /// A number of four bytes.
    pub fn short(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.bytes(4)?.try_into().ok()?))
    }

    /// A number of eight bytes.
    pub fn long(&mut self) -> Option<i64> {
        Some(i64::from_le_bytes(self.bytes(8)?.try_into().ok()?))
    }

    /// How many of something follow, each of which has a byte at least.
    pub fn many(&mut self) -> Option<usize> {
        let count = self.short()? as usize;
        (count <= self.rest.len()).then_some(count)
    }

    /// Whether all was read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}
