//! What is not known yet, and what has become of it.

use num_bigint::BigInt;

use super::partial::{Linear, Partial, UnknownId};
use crate::algebra::Sort;
use crate::base::IndexVec;
use crate::pnet::HoleId;

/// Where something unknown comes from. Of two that are the same, the later one in this order stands for both: it is the
/// one that people are told about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Source {
    /// A variable of a vector.
    Vector,
    /// A part of something else that is unknown: so many parts deep.
    Part(u32),
    /// An input of a transition.
    Input,
    /// What a hole does.
    Hole(HoleId),
    /// A symbolic constant.
    Constant,
    /// A variable without an initial value.
    Variable,
}

/// Something that is not known yet.
#[derive(Clone, Debug)]
pub(super) struct Unknown {
    /// What people call it.
    pub name: String,
    pub sort: Sort,
    pub source: Source,
    /// The least number that it can be, if it is one.
    pub low: Option<BigInt>,
    /// The largest.
    pub high: Option<BigInt>,
    /// What it has turned out to be.
    pub is: Option<Partial>,
}

/// Everything unknown.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    all: IndexVec<UnknownId, Unknown>,
    /// How often something was learnt.
    pub learnt: usize,
}

/// Something cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Clash;

impl Store {
    pub fn add(&mut self, name: String, sort: Sort, source: Source) -> UnknownId {
        self.all.push(Unknown { name, sort, source, low: None, high: None, is: None })
    }

    pub fn get(&self, id: UnknownId) -> &Unknown {
        &self.all[id]
    }

    /// What is still not known, in order.
    pub fn open(&self) -> impl Iterator<Item = (UnknownId, &Unknown)> {
        self.all.enumerated().filter(|(_, one)| one.is.is_none())
    }

    /// It has turned out to be this.
    pub fn bind(&mut self, id: UnknownId, is: Partial) {
        self.all[id].is = Some(is);
        self.learnt += 1;
    }

    /// A value with everything in it that is known by now.
    pub fn resolve(&self, partial: &Partial) -> Partial {
        match partial {
            Partial::Whole(_) | Partial::Open => partial.clone(),
            Partial::Unknown(id) => match &self.all[*id].is {
                Some(is) => self.resolve(is),
                None => partial.clone(),
            },
            Partial::Linear(linear) => self.resolve_linear(linear),
            _ => partial.mapped(|part| self.resolve(part)),
        }
    }

    fn resolve_linear(&self, linear: &Linear) -> Partial {
        let Some(id) = linear.unknown else { return linear.clone().into() };
        let Some(is) = &self.all[id].is else { return linear.clone().into() };
        let Some(inner) = self.resolve(is).linear() else { return Partial::Open };
        let sum = inner.times(&linear.factor).plus(&Linear::constant(linear.offset.clone()));
        sum.map_or(Partial::Open, Partial::from)
    }

    /// It is at least the first and at most the second, where these are given.
    pub fn narrow(
        &mut self,
        id: UnknownId,
        low: Option<BigInt>,
        high: Option<BigInt>,
    ) -> Result<(), Clash> {
        let one = &mut self.all[id];
        if let Some(low) = low
            && one.low.as_ref().is_none_or(|known| *known < low)
        {
            one.low = Some(low);
            self.learnt += 1;
        }
        if let Some(high) = high
            && one.high.as_ref().is_none_or(|known| *known > high)
        {
            one.high = Some(high);
            self.learnt += 1;
        }
        match (&one.low, &one.high) {
            (Some(low), Some(high)) if low > high => Err(Clash),
            _ => Ok(()),
        }
    }

    /// The least and the largest number that something can be, as far as there are such.
    pub fn bounds(&self, linear: &Linear) -> (Option<BigInt>, Option<BigInt>) {
        let Some(id) = linear.unknown else {
            return (Some(linear.offset.clone()), Some(linear.offset.clone()));
        };
        let at = |end: &Option<BigInt>| {
            end.as_ref().map(|value| value * &linear.factor + &linear.offset)
        };
        let (low, high) = (at(&self.all[id].low), at(&self.all[id].high));
        if linear.factor.sign() == num_bigint::Sign::Minus { (high, low) } else { (low, high) }
    }
}
