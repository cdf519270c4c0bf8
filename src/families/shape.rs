//! The shapes of expressions that depend on an index or on a size: so much more than the index, than the size, or than
//! nothing.

/// What an expression comes to, as far as its shape goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// The same for all indices that are neither near the start nor near the end, in all sizes that are large enough.
    Plain,
    /// A sum.
    Sum(Sum),
    /// A value that comes with an action: a sum that is a place, with a number of at most so much beside it, or one that does
    /// not depend on indices.
    Data(i64),
}

/// `index * i + size * n + c`, with a number `c` from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sum {
    pub index: i64,
    pub size: i64,
    pub low: i64,
    pub high: i64,
}

/// The index of a family of symbolic size.
pub(super) const INDEX: Sum = Sum { index: 1, size: 0, low: 0, high: 0 };

/// The size.
pub(super) const SIZE: Sum = Sum { index: 0, size: 1, low: 0, high: 0 };

impl Sum {
    /// A number.
    pub fn number(value: i64) -> Sum {
        Sum { index: 0, size: 0, low: value, high: value }
    }

    /// Whether it is a number, or one of several.
    pub fn is_number(self) -> bool {
        (self.index, self.size) == (0, 0)
    }

    /// How far it is from the index, the size or nothing.
    pub fn distance(self) -> i64 {
        self.low.saturating_abs().max(self.high.saturating_abs())
    }

    pub fn plus(self, other: Sum) -> Sum {
        Sum {
            index: self.index.saturating_add(other.index),
            size: self.size.saturating_add(other.size),
            low: self.low.saturating_add(other.low),
            high: self.high.saturating_add(other.high),
        }
    }

    pub fn negated(self) -> Sum {
        Sum {
            index: -self.index,
            size: -self.size,
            low: self.high.saturating_neg(),
            high: self.low.saturating_neg(),
        }
    }

    /// So many times; nothing where neither is a number that is known.
    pub fn times(self, other: Sum) -> Option<Sum> {
        let (factor, of) = if other.is_number() { (other, self) } else { (self, other) };
        if !factor.is_number() || factor.low != factor.high {
            return None;
        }
        let k = factor.low;
        let ends = [of.low.checked_mul(k)?, of.high.checked_mul(k)?];
        Some(Sum {
            index: of.index.checked_mul(k)?,
            size: of.size.checked_mul(k)?,
            low: ends[0].min(ends[1]),
            high: ends[0].max(ends[1]),
        })
    }

    /// Whether a comparison of such a difference with zero is the same for all indices that are not near an end: it is about
    /// the index and a number, the index and the size, or the size and a number.
    pub fn is_settled_inside(self) -> bool {
        matches!(
            (self.index, self.size),
            (0, 0) | (1, 0) | (-1, 0) | (1, -1) | (-1, 1) | (0, 1) | (0, -1)
        )
    }

    /// Whether it can be the place of a member: near the index, near the start, or near the end.
    pub fn is_place(self) -> bool {
        matches!((self.index, self.size), (0, 0) | (1, 0) | (0, 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_added_and_compared() {
        let next = INDEX.plus(Sum::number(1));
        assert!(next.is_place() && !next.is_number() && next.distance() == 1);
        let last = SIZE.plus(Sum::number(1).negated());
        assert!(next.plus(last.negated()).is_settled_inside());
        assert!(!next.plus(next).is_settled_inside());
        assert_eq!(next.times(Sum::number(1)), Some(next));
        assert_eq!(next.times(next), None);
        assert_eq!(Sum::number(2).times(Sum::number(-3)), Some(Sum::number(-6)));
    }
}
