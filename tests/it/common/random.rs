//! Pseudo-random numbers.

/// SplitMix64: small, fast, and the same on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Random {
        // Neighbouring seeds should have nothing in common.
        Random(seed.wrapping_mul(0xD134_2543_DE82_EF95) ^ 0x5DEE_CE66_D1CE_4E5B)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 to just before `limit`, which is at least 1.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// True once in so many times.
    pub fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    /// True so many times in a hundred.
    pub fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    /// One of these.
    pub fn pick<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }

    /// One of these, unless there are none.
    pub fn pick_some<'t, T>(&mut self, all: &'t [T]) -> Option<&'t T> {
        if all.is_empty() { None } else { Some(self.pick(all)) }
    }

    /// Puts them in another order.
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for last in (1..all.len()).rev() {
            all.swap(last, self.below(last + 1));
        }
    }
}
