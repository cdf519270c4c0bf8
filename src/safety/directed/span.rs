//! What a term may come to, roughly: the numbers from a least to a largest one.
//!
//! Truth values are 0 and 1, values of data types the numbers of their constructors, arrays the numbers of all their
//! elements together. Everything else may be anything. What is said is never too little: a value that a term can have, for
//! values of its variables that lie in their spans, lies in its span.

use num_traits::ToPrimitive;

use crate::explore::Value;

/// Numbers from a least to a largest one; the smallest and the largest of all stand for no bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub least: i64,
    pub largest: i64,
}

impl Span {
    pub const ANY: Span = Span { least: i64::MIN, largest: i64::MAX };
    /// Nothing: what is not reached.
    pub const EMPTY: Span = Span { least: i64::MAX, largest: i64::MIN };
    pub const EITHER: Span = Span { least: 0, largest: 1 };
    pub const YES: Span = Span { least: 1, largest: 1 };
    pub const NO: Span = Span { least: 0, largest: 0 };

    pub fn just(value: i64) -> Span {
        Span { least: value, largest: value }
    }

    pub fn truth(value: bool) -> Span {
        if value { Span::YES } else { Span::NO }
    }

    /// Of a value.
    pub fn of(value: &Value) -> Span {
        match value {
            Value::Bool(value) => Span::truth(*value),
            Value::Int(value) => Span::number(value),
            Value::Abstract(_, number) | Value::Other(number) => Span::just(i64::from(*number)),
            Value::Data(_, constructor, _) => Span::just(i64::from(*constructor)),
            Value::Array(array) => {
                let all = array.places.values().chain(&array.rest).map(Span::of);
                all.reduce(Span::or).unwrap_or(Span::ANY)
            }
            Value::Act(..) | Value::Tau | Value::Sync(_) | Value::Co(_) => Span::ANY,
        }
    }

    /// Of an integer; one that is too large has no bound on one side.
    pub fn number(value: &num_bigint::BigInt) -> Span {
        match value.to_i64() {
            Some(value) if value != i64::MIN && value != i64::MAX => Span::just(value),
            _ if *value < num_bigint::BigInt::ZERO => {
                Span { least: i64::MIN, largest: i64::MIN + 1 }
            }
            _ => Span { least: i64::MAX - 1, largest: i64::MAX },
        }
    }

    /// Whether it has one value only.
    pub fn is_single(self) -> bool {
        self.least == self.largest
    }

    /// Whether a condition may hold.
    pub fn may_hold(self) -> bool {
        self.largest >= 1
    }

    /// One or the other.
    pub fn or(self, other: Span) -> Span {
        Span { least: self.least.min(other.least), largest: self.largest.max(other.largest) }
    }

    /// What it becomes where growing to another span happens so many times.
    pub fn stretched(self, grown: Span, times: u64) -> Span {
        let times = i64::try_from(times).unwrap_or(i64::MAX);
        let more =
            |from: i64, to: i64| from.saturating_add(to.saturating_sub(from).saturating_mul(times));
        Span { least: more(self.least, grown.least), largest: more(self.largest, grown.largest) }
    }

    pub fn plus(self, other: Span) -> Span {
        let add = |a: i64, b: i64, none: i64| match a == none || b == none {
            true => none,
            false => a.saturating_add(b),
        };
        Span {
            least: add(self.least, other.least, i64::MIN),
            largest: add(self.largest, other.largest, i64::MAX),
        }
    }

    pub fn times(self, other: Span) -> Span {
        let products = [self.least, self.largest]
            .map(|a| [times(a, other.least), times(a, other.largest)])
            .concat();
        let (least, largest) = (products.iter().min(), products.iter().max());
        match (least, largest) {
            (Some(&least), Some(&largest)) => Span { least, largest },
            _ => Span::ANY,
        }
    }

    /// The quotient, with a remainder that is never negative.
    pub fn divided(self, by: Span) -> Span {
        if !by.is_single() || by.least == 0 || self.is_endless() {
            return Span::ANY;
        }
        let ends = [self.least, self.largest].map(|a| a.checked_div_euclid(by.least));
        match ends {
            [Some(a), Some(b)] => Span { least: a.min(b), largest: a.max(b) },
            _ => Span::ANY,
        }
    }

    /// The remainder.
    pub fn remainder(self, by: Span) -> Span {
        if !by.is_single() || by.least == 0 || by.is_endless() {
            return Span::ANY;
        }
        match self.is_single() && !self.is_endless() {
            true => self.least.checked_rem_euclid(by.least).map_or(Span::ANY, Span::just),
            false => Span { least: 0, largest: by.least.saturating_abs() - 1 },
        }
    }

    fn is_endless(self) -> bool {
        self.least == i64::MIN || self.largest == i64::MAX
    }

    pub fn not(self) -> Span {
        Span { least: 1 - self.largest.clamp(0, 1), largest: 1 - self.least.clamp(0, 1) }
    }

    /// Whether the two are the same; `exact` where values with the same number are the same.
    pub fn same(self, other: Span, exact: bool) -> Span {
        if self.largest < other.least || other.largest < self.least {
            return Span::NO;
        }
        match exact && self.is_single() && self == other {
            true => Span::YES,
            false => Span::EITHER,
        }
    }

    pub fn less(self, other: Span) -> Span {
        if self.largest < other.least {
            return Span::YES;
        }
        Span::truth(false).or(Span::truth(self.least < other.largest))
    }
}

/// A product that keeps to bounds, and to what has none.
fn times(a: i64, b: i64) -> i64 {
    let negative = (a < 0) != (b < 0);
    match (a, b) {
        (0, _) | (_, 0) => 0,
        (i64::MIN | i64::MAX, _) | (_, i64::MIN | i64::MAX) if negative => i64::MIN,
        (i64::MIN | i64::MAX, _) | (_, i64::MIN | i64::MAX) => i64::MAX,
        _ => a.saturating_mul(b),
    }
}
