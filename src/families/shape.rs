//! The shapes of expressions that depend on an index or on a size: so much more than the index, than the size, or than
//! nothing.

use crate::sema::program::LocalId;

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
    /// Which size it is about, by its number; 0 where it is about none.
    pub of: usize,
    /// Which index it is about; the first where it is about none.
    pub var: LocalId,
}

impl Sum {
    /// A number.
    pub fn number(value: i64) -> Sum {
        Sum { index: 0, size: 0, low: value, high: value, of: 0, var: LocalId(0) }
    }

    /// The index of a family whose size is the one with this number.
    pub fn index(of: usize, var: LocalId) -> Sum {
        Sum { index: 1, of, var, ..Sum::number(0) }
    }

    /// A size, by its number.
    pub fn size(of: usize) -> Sum {
        Sum { size: 1, of, ..Sum::number(0) }
    }

    /// Whether it is a size, and nothing more.
    pub fn is_size(self) -> bool {
        self == Sum::size(self.of)
    }

    /// Whether it is an index, and nothing more.
    pub fn is_index(self) -> bool {
        self == Sum::index(self.of, self.var)
    }

    /// Whether it is a number, or one of several.
    pub fn is_number(self) -> bool {
        (self.index, self.size) == (0, 0)
    }

    /// How far it is from the index, the size or nothing.
    pub fn distance(self) -> i64 {
        self.low.saturating_abs().max(self.high.saturating_abs())
    }

    /// Whether two sums are numbers beside the same thing.
    pub fn is_beside(self, other: Sum) -> bool {
        let beside = |sum: Sum| (sum.index, sum.size, sum.of, sum.var);
        beside(self) == beside(other)
    }

    /// Two together; nothing where they are about two sizes, or about two indices.
    pub fn plus(self, other: Sum) -> Option<Sum> {
        let sizes = self.is_number() || other.is_number() || self.of == other.of;
        let vars = self.index == 0 || other.index == 0 || self.var == other.var;
        if !sizes || !vars {
            return None;
        }
        let sum = Sum {
            index: self.index.saturating_add(other.index),
            size: self.size.saturating_add(other.size),
            low: self.low.saturating_add(other.low),
            high: self.high.saturating_add(other.high),
            of: self.of.max(other.of),
            var: if self.index == 0 { other.var } else { self.var },
        };
        Some(sum.plain())
    }

    pub fn minus(self, other: Sum) -> Option<Sum> {
        self.plus(other.negated())
    }

    /// Without what it is not about.
    fn plain(self) -> Sum {
        Sum {
            of: if self.is_number() { 0 } else { self.of },
            var: if self.index == 0 { LocalId(0) } else { self.var },
            ..self
        }
    }

    pub fn negated(self) -> Sum {
        Sum {
            index: -self.index,
            size: -self.size,
            low: self.high.saturating_neg(),
            high: self.low.saturating_neg(),
            ..self
        }
    }

    /// The same with this many times the size.
    pub fn with_size(self, size: i64) -> Sum {
        Sum { size, ..self }.plain()
    }

    /// So many times; nothing where neither is a number that is known.
    pub fn times(self, other: Sum) -> Option<Sum> {
        let (factor, of) = if other.is_number() { (other, self) } else { (self, other) };
        if !factor.is_number() || factor.low != factor.high {
            return None;
        }
        let k = factor.low;
        let ends = [of.low.checked_mul(k)?, of.high.checked_mul(k)?];
        let sum = Sum {
            index: of.index.checked_mul(k)?,
            size: of.size.checked_mul(k)?,
            low: ends[0].min(ends[1]),
            high: ends[0].max(ends[1]),
            ..of
        };
        Some(sum.plain())
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

    /// Whether it can be the place of a member of a family whose size has this number.
    pub fn is_place_in(self, family: usize) -> bool {
        self.is_place() && (self.is_number() || self.of == family)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_added_and_compared() {
        let index = Sum::index(0, LocalId(3));
        let next = index.plus(Sum::number(1)).unwrap();
        assert!(next.is_place() && !next.is_number() && next.distance() == 1);
        let last = Sum::size(0).plus(Sum::number(-1)).unwrap();
        assert!(next.minus(last).unwrap().is_settled_inside());
        assert!(!next.plus(next).unwrap().is_settled_inside());
        assert_eq!(next.times(Sum::number(1)), Some(next));
        assert_eq!(next.times(next), None);
        assert_eq!(Sum::number(2).times(Sum::number(-3)), Some(Sum::number(-6)));
        assert_eq!(next.minus(index), Some(Sum::number(1)));
    }

    #[test]
    fn two_sizes_and_two_indices_are_not_added() {
        let (one, other) = (Sum::index(0, LocalId(1)), Sum::index(0, LocalId(2)));
        assert_eq!(one.minus(other), None);
        assert_eq!(one.minus(Sum::size(1)), None);
        assert_eq!(Sum::size(0).minus(Sum::size(1)), None);
        assert!(Sum::size(1).is_place_in(1) && !Sum::size(1).is_place_in(0));
        assert!(Sum::number(4).is_place_in(1));
    }
}
