//! Values as far as they are known.
//!
//! What comes from outside (an input, what a hole does, a constant without a value) is *unknown* at first. What is made
//! of it is known in part: its constructor, or that it is twice the unknown and one more.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::algebra::{ActionId, DataId};
use crate::explore::{Array, Value};
use crate::tagged_id;

tagged_id! {
    /// Something that is not known yet.
    UnknownId
}

/// A value as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Partial {
    /// All of it.
    Whole(Value),
    /// Nothing, but it has a name.
    Unknown(UnknownId),
    /// A number that depends on an unknown one.
    Linear(Linear),
    /// What made it.
    Data(DataId, u32, Vec<Partial>),
    /// What is at each of its places, of which there are finitely many.
    Array(BTreeMap<Value, Partial>),
    /// Which action it is.
    Act(ActionId, Vec<Partial>),
    /// That it is `sync` of something.
    Sync(Box<Partial>),
    /// That it is `co` of something.
    Co(Box<Partial>),
    /// Nothing: it depends on what is not known.
    Open,
}

/// So many times something unknown, and so much more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Linear {
    /// What is not known; where there is nothing, the factor is zero.
    pub unknown: Option<UnknownId>,
    pub factor: BigInt,
    pub offset: BigInt,
}

impl Linear {
    pub fn constant(offset: BigInt) -> Linear {
        Linear { unknown: None, factor: BigInt::zero(), offset }
    }

    /// The sum; nothing where it depends on two things that are not known.
    pub fn plus(&self, other: &Linear) -> Option<Linear> {
        let unknown = match (self.unknown, other.unknown) {
            (Some(one), Some(two)) if one != two => return None,
            (one, two) => one.or(two),
        };
        let (factor, offset) = (&self.factor + &other.factor, &self.offset + &other.offset);
        Some(Linear { unknown: unknown.filter(|_| !factor.is_zero()), factor, offset })
    }

    pub fn times(&self, number: &BigInt) -> Linear {
        let (factor, offset) = (&self.factor * number, &self.offset * number);
        Linear { unknown: self.unknown.filter(|_| !factor.is_zero()), factor, offset }
    }

    pub fn minus(&self, other: &Linear) -> Option<Linear> {
        self.plus(&other.times(&BigInt::from(-1)))
    }
}

impl From<Linear> for Partial {
    fn from(linear: Linear) -> Partial {
        match linear.unknown {
            None => Partial::Whole(Value::Int(linear.offset)),
            Some(unknown) if linear.factor.is_one() && linear.offset.is_zero() => {
                Partial::Unknown(unknown)
            }
            Some(_) => Partial::Linear(linear),
        }
    }
}

impl From<Value> for Partial {
    fn from(value: Value) -> Partial {
        Partial::Whole(value)
    }
}

/// All of these as values, if all of them are.
fn whole(parts: &[Partial]) -> Option<Vec<Value>> {
    parts.iter().map(|part| part.value().cloned()).collect()
}

impl Partial {
    pub fn bool(value: bool) -> Partial {
        Partial::Whole(Value::Bool(value))
    }

    pub fn data(data: DataId, constructor: u32, fields: Vec<Partial>) -> Partial {
        match whole(&fields) {
            Some(fields) => Partial::Whole(Value::Data(data, constructor, fields)),
            None => Partial::Data(data, constructor, fields),
        }
    }

    pub fn act(action: ActionId, args: Vec<Partial>) -> Partial {
        match whole(&args) {
            Some(args) => Partial::Whole(Value::Act(action, args)),
            None => Partial::Act(action, args),
        }
    }

    pub fn sync(inner: Partial) -> Partial {
        match inner {
            Partial::Whole(inner) => Partial::Whole(Value::Sync(Box::new(inner))),
            inner => Partial::Sync(Box::new(inner)),
        }
    }

    pub fn co(inner: Partial) -> Partial {
        match inner {
            Partial::Whole(inner) => Partial::Whole(Value::Co(Box::new(inner))),
            inner => Partial::Co(Box::new(inner)),
        }
    }

    /// An array whose places are all listed.
    pub fn array(places: BTreeMap<Value, Partial>) -> Partial {
        if places.values().any(|element| element.value().is_none()) {
            return Partial::Array(places);
        }
        let values = places.into_iter();
        let places = values.filter_map(|(place, element)| Some((place, element.value()?.clone())));
        Partial::Whole(Value::Array(Box::new(Array { places: places.collect(), rest: None })))
    }

    /// The value, where all of it is known.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Partial::Whole(value) => Some(value),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        self.value().and_then(Value::as_bool)
    }

    /// A number as far as it is known.
    pub fn linear(&self) -> Option<Linear> {
        match self {
            Partial::Whole(Value::Int(value)) => Some(Linear::constant(value.clone())),
            Partial::Unknown(unknown) => Some(Linear {
                unknown: Some(*unknown),
                factor: BigInt::one(),
                offset: BigInt::zero(),
            }),
            Partial::Linear(linear) => Some(linear.clone()),
            _ => None,
        }
    }

    /// What it is made of, one level down.
    pub fn parts(&self) -> Vec<&Partial> {
        match self {
            Partial::Data(_, _, parts) | Partial::Act(_, parts) => parts.iter().collect(),
            Partial::Array(places) => places.values().collect(),
            Partial::Sync(inner) | Partial::Co(inner) => vec![inner],
            Partial::Whole(_) | Partial::Unknown(_) | Partial::Linear(_) | Partial::Open => {
                Vec::new()
            }
        }
    }

    /// The same form with other parts.
    pub fn mapped(&self, mut each: impl FnMut(&Partial) -> Partial) -> Partial {
        match self {
            Partial::Data(data, constructor, fields) => {
                Partial::data(*data, *constructor, fields.iter().map(each).collect())
            }
            Partial::Act(action, args) => Partial::act(*action, args.iter().map(each).collect()),
            Partial::Array(places) => {
                let mapped = places.iter().map(|(place, one)| (place.clone(), each(one)));
                Partial::array(mapped.collect())
            }
            Partial::Sync(inner) => Partial::sync(each(inner)),
            Partial::Co(inner) => Partial::co(each(inner)),
            Partial::Whole(_) | Partial::Unknown(_) | Partial::Linear(_) | Partial::Open => {
                self.clone()
            }
        }
    }

    /// Everything unknown in it, in order; and whether there is something without a name.
    pub fn unknowns(&self, found: &mut Vec<UnknownId>) -> bool {
        match self {
            Partial::Unknown(unknown) => found.push(*unknown),
            Partial::Linear(linear) => found.extend(linear.unknown),
            Partial::Open => return true,
            _ => {
                return self
                    .parts()
                    .into_iter()
                    .fold(false, |open, one| one.unknowns(found) | open);
            }
        }
        false
    }
}

/// How something was made: what can be told apart without looking at the parts.
#[derive(PartialEq, Eq)]
pub(super) enum Head {
    Data(u32),
    Act(ActionId),
    Sync,
    Co,
    Array,
    /// A value without parts.
    Simple(Value),
}

impl Partial {
    /// Its head and its parts, where it is known how it was made.
    pub fn taken_apart(&self) -> Option<(Head, Vec<Partial>)> {
        let parts = |parts: &[Value]| parts.iter().cloned().map(Partial::Whole).collect();
        Some(match self {
            Partial::Unknown(_) | Partial::Linear(_) | Partial::Open => return None,
            Partial::Data(_, constructor, fields) => (Head::Data(*constructor), fields.clone()),
            Partial::Act(action, args) => (Head::Act(*action), args.clone()),
            Partial::Sync(inner) => (Head::Sync, vec![(**inner).clone()]),
            Partial::Co(inner) => (Head::Co, vec![(**inner).clone()]),
            Partial::Array(places) => (Head::Array, places.values().cloned().collect()),
            Partial::Whole(Value::Data(_, constructor, fields)) => {
                (Head::Data(*constructor), parts(fields))
            }
            Partial::Whole(Value::Act(action, args)) => (Head::Act(*action), parts(args)),
            Partial::Whole(Value::Sync(inner)) => {
                (Head::Sync, vec![Partial::Whole((**inner).clone())])
            }
            Partial::Whole(Value::Co(inner)) => (Head::Co, vec![Partial::Whole((**inner).clone())]),
            Partial::Whole(Value::Array(array)) if array.rest.is_none() => {
                (Head::Array, array.places.values().cloned().map(Partial::Whole).collect())
            }
            Partial::Whole(value) => (Head::Simple(value.clone()), Vec::new()),
        })
    }
}
