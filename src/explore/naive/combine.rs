//! What operators make of their operands.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};

use super::evaluate::{Reader, Seen, is_too_deep, strict};
use super::partial::{Head, Linear, Partial};
use super::sorts::Listing;
use crate::algebra::{DataId, Sort, Term};
use crate::explore::{Array, Gap, Value};

const OPEN: Seen = Seen::Is(Partial::Open);

fn truth(value: bool) -> Seen {
    Seen::Is(Partial::bool(value))
}

fn maybe(known: Option<bool>) -> Seen {
    known.map_or(OPEN, truth)
}

fn number(known: Option<Linear>) -> Seen {
    known.map_or(OPEN, |linear| Seen::Is(linear.into()))
}

impl Reader<'_> {
    /// A term whose operands have been looked at.
    pub(super) fn combined(&self, term: &Term, done: Vec<Seen>) -> Seen {
        let parts = match strict(done) {
            Ok(parts) => parts,
            Err(seen) => return seen,
        };
        match (term, parts.as_slice()) {
            (Term::Bool(value), _) => truth(*value),
            (Term::Int(value), _) => Seen::Is(Partial::Whole(Value::Int((**value).clone()))),
            (Term::Tau, _) => Seen::Is(Partial::Whole(Value::Tau)),
            (Term::Construct(data, index, _), _) => self.made(*data, *index, parts),
            (Term::Select(data, index, field, _), [of]) => {
                self.field((*data, *index, *field as usize), of)
            }
            (Term::IsConstructor(_, index, _), [of]) => {
                maybe(of.taken_apart().map(|(head, _)| head == Head::Data(*index)))
            }
            (Term::Index(..), [array, place]) => element(array, place),
            (Term::Update(..), [array, place, value]) => updated(array, place, value),
            (Term::ConstArray(sort, _), [element]) => self.everywhere(sort, element),
            (Term::Not(_), [of]) => maybe(of.as_bool().map(|value| !value)),
            (Term::Add(_), _) => number(sum(&parts)),
            (Term::Multiply(_), _) => number(product(&parts)),
            (Term::Div(..), [a, b]) => divided(a, b, |quotient, _| quotient),
            (Term::Mod(..), [a, b]) => divided(a, b, |_, remainder| remainder),
            (Term::Equal(..), [a, b]) => maybe(self.same(a, b)),
            (Term::Less(..), [a, b]) => maybe(self.less(a, b, true)),
            (Term::LessEqual(..), [a, b]) => maybe(self.less(a, b, false)),
            (Term::Act(id, _), _) => Seen::Is(Partial::act(*id, parts)),
            (Term::Sync(_), [of]) => Seen::Is(Partial::sync(of.clone())),
            (Term::Co(_), [of]) => Seen::Is(Partial::co(of.clone())),
            (Term::IsAct(id, _), [of]) => {
                maybe(of.taken_apart().map(|(head, _)| head == Head::Act(*id)))
            }
            (Term::IsSync(_), [of]) => maybe(of.taken_apart().map(|(head, _)| head == Head::Sync)),
            (Term::IsCo(_), [of]) => maybe(of.taken_apart().map(|(head, _)| head == Head::Co)),
            (Term::Argument(id, place, _), [of]) => match of.taken_apart() {
                None => OPEN,
                Some((Head::Act(other), args)) if other == *id => {
                    args.into_iter().nth(*place as usize).map_or(Seen::Nothing, Seen::Is)
                }
                Some(_) => Seen::Nothing,
            },
            (Term::Inner(_), [of]) => match of.taken_apart() {
                None => OPEN,
                Some((Head::Sync | Head::Co, inner)) => {
                    inner.into_iter().next().map_or(Seen::Nothing, Seen::Is)
                }
                Some(_) => Seen::Nothing,
            },
            _ => Seen::Nothing,
        }
    }

    // ---- data and arrays ----

    fn made(&self, data: DataId, constructor: u32, fields: Vec<Partial>) -> Seen {
        let made = Partial::data(data, constructor, fields);
        match made.value() {
            Some(value) if is_too_deep(value) => {
                Seen::Gap(Gap::TooDeep { name: self.sort_name(&Sort::Data(data)) })
            }
            _ => Seen::Is(made),
        }
    }

    fn field(&self, (data, constructor, field): (DataId, u32, usize), of: &Partial) -> Seen {
        match of.taken_apart() {
            None => OPEN,
            Some((Head::Data(index), fields)) if index == constructor => {
                fields.into_iter().nth(field).map_or(Seen::Nothing, Seen::Is)
            }
            Some(_) => {
                let constructors = &self.world.net.algebra.datatypes[data.index()].constructors;
                let name = constructors[constructor as usize].fields[field].0;
                Seen::Gap(Gap::NoField { field: name.to_string() })
            }
        }
    }

    /// The array that has the same at every place.
    fn everywhere(&self, sort: &Sort, element: &Partial) -> Seen {
        let Sort::Array(both) = sort else { return Seen::Nothing };
        match self.values(&both.0) {
            Listing::All(places) => {
                let all = places.into_iter().map(|place| (place, element.clone()));
                Seen::Is(Partial::array(all.collect()))
            }
            Listing::Endless(_) => element.value().map_or(OPEN, |element| {
                let (places, rest) = (BTreeMap::new(), Some(element.clone()));
                Seen::Is(Partial::Whole(Value::Array(Box::new(Array { places, rest }))))
            }),
            Listing::Waiting => OPEN,
            Listing::Gap(gap) => Seen::Gap(gap),
        }
    }

    // ---- comparisons ----

    /// Whether two values are the same; nothing where that is not known yet.
    pub fn same(&self, a: &Partial, b: &Partial) -> Option<bool> {
        if let (Some(a), Some(b)) = (a.value(), b.value()) {
            return Some(a == b);
        }
        if let (Some(a), Some(b)) = (a.linear(), b.linear()) {
            return self.same_numbers(&a, &b);
        }
        let ((head, these), (other, those)) = (a.taken_apart()?, b.taken_apart()?);
        if head != other {
            return Some(false);
        }
        let mut all = Some(true);
        for (a, b) in these.iter().zip(&those) {
            match self.same(a, b) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    fn same_numbers(&self, a: &Linear, b: &Linear) -> Option<bool> {
        let difference = a.minus(b)?;
        if difference.unknown.is_none() {
            return Some(difference.offset.is_zero());
        }
        let (low, high) = self.known.store.bounds(&difference);
        let never = low.is_some_and(|low| low.is_positive())
            || high.is_some_and(|high| high.is_negative())
            || !(&difference.offset % &difference.factor).is_zero();
        never.then_some(false)
    }

    fn less(&self, a: &Partial, b: &Partial, strictly: bool) -> Option<bool> {
        let difference = b.linear()?.minus(&a.linear()?)?;
        let (low, high) = self.known.store.bounds(&difference);
        let enough = BigInt::from(u8::from(strictly));
        match (low, high) {
            (Some(low), _) if low >= enough => Some(true),
            (_, Some(high)) if high < enough => Some(false),
            _ => None,
        }
    }
}

fn element(array: &Partial, place: &Partial) -> Seen {
    let Some(place) = place.value() else { return OPEN };
    match array {
        Partial::Whole(Value::Array(array)) => {
            let found = array.places.get(place).or(array.rest.as_ref());
            found.map_or(Seen::Nothing, |found| Seen::Is(Partial::Whole(found.clone())))
        }
        Partial::Array(places) => places.get(place).cloned().map_or(Seen::Nothing, Seen::Is),
        _ => OPEN,
    }
}

fn updated(array: &Partial, place: &Partial, value: &Partial) -> Seen {
    let Some(place) = place.value() else { return OPEN };
    let mut places: BTreeMap<Value, Partial> = match array {
        Partial::Whole(Value::Array(array)) => {
            if let Some(rest) = &array.rest {
                let Some(value) = value.value() else { return OPEN };
                return Seen::Is(Partial::Whole(written(array, rest, place, value)));
            }
            let whole = |(place, one): (&Value, &Value)| (place.clone(), one.clone().into());
            array.places.iter().map(whole).collect()
        }
        Partial::Array(places) => places.clone(),
        _ => return OPEN,
    };
    match places.get_mut(place) {
        Some(old) => *old = value.clone(),
        None => return Seen::Nothing,
    }
    Seen::Is(Partial::array(places))
}

/// An array with another value at a place; only what differs from the rest is listed.
fn written(array: &Array, rest: &Value, place: &Value, value: &Value) -> Value {
    let mut array = array.clone();
    if value == rest {
        array.places.remove(place);
    } else {
        array.places.insert(place.clone(), value.clone());
    }
    Value::Array(Box::new(array))
}

// ---- numbers ----

fn sum(parts: &[Partial]) -> Option<Linear> {
    parts.iter().try_fold(Linear::constant(BigInt::zero()), |sum, part| sum.plus(&part.linear()?))
}

fn product(parts: &[Partial]) -> Option<Linear> {
    parts.iter().try_fold(Linear::constant(BigInt::from(1)), |product, part| {
        let part = part.linear()?;
        match (product.unknown, part.unknown) {
            (_, None) => Some(product.times(&part.offset)),
            (None, _) => Some(part.times(&product.offset)),
            _ => None,
        }
    })
}

/// Quotient and remainder; the remainder is never negative.
fn divided(a: &Partial, b: &Partial, choose: impl Fn(BigInt, BigInt) -> BigInt) -> Seen {
    let Some(Value::Int(b)) = b.value() else { return OPEN };
    if b.is_zero() {
        return Seen::Nothing;
    }
    let Some(Value::Int(a)) = a.value() else { return OPEN };
    let remainder = a.mod_floor(&b.abs());
    let quotient = (a - &remainder) / b;
    Seen::Is(Partial::Whole(Value::Int(choose(quotient, remainder))))
}
