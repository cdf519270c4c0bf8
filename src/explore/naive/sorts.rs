//! Sorts: which values they have, and whether a value is one of them.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::evaluate::{Reader, Seen};
use super::partial::Partial;
use crate::algebra::{DataId, Sort, TermId};
use crate::explore::{Array, Gap, Value};

/// Sorts with more values are not gone through.
pub(super) const MOST_VALUES: usize = 1 << 20;

/// The values of a sort.
pub(super) enum Listing {
    /// These, in order.
    All(Vec<Value>),
    /// There is no end of them, because of this sort.
    Endless(String),
    /// That depends on what is not known yet.
    Waiting,
    /// Nothing can be said.
    Gap(Gap),
}

/// The bounds of a range.
pub(super) enum Bounds {
    /// From the first to just before the second.
    Known(BigInt, BigInt),
    /// They depend on what is not known yet.
    Waiting,
    Gap(Gap),
}

impl Reader<'_> {
    /// The bounds of a range.
    pub fn bounds(&self, low: TermId, high: TermId) -> Bounds {
        match (self.see(low), self.see(high)) {
            (Seen::Gap(gap), _) | (_, Seen::Gap(gap)) => Bounds::Gap(gap),
            (Seen::Is(low), Seen::Is(high)) => match (low.value(), high.value()) {
                (Some(Value::Int(low)), Some(Value::Int(high))) => {
                    Bounds::Known(low.clone(), high.clone())
                }
                _ => Bounds::Waiting,
            },
            _ => Bounds::Waiting,
        }
    }

    /// All values of a sort.
    pub fn values(&self, sort: &Sort) -> Listing {
        self.values_within(sort, &mut Vec::new())
    }

    fn values_within(&self, sort: &Sort, around: &mut Vec<DataId>) -> Listing {
        match sort {
            Sort::Bool => Listing::All(vec![Value::Bool(false), Value::Bool(true)]),
            Sort::Range(low, high) => match self.bounds(*low, *high) {
                Bounds::Known(low, high) => numbers(&low, &high),
                Bounds::Waiting => Listing::Waiting,
                Bounds::Gap(gap) => Listing::Gap(gap),
            },
            Sort::Data(data) => self.values_of_data(*data, around),
            Sort::Array(both) => {
                let places = match self.values_within(&both.0, around) {
                    Listing::All(places) => places,
                    other => return other,
                };
                let sorts = vec![&both.1; places.len()];
                self.rows(&sorts, around, |row| {
                    let places: BTreeMap<Value, Value> = places.iter().cloned().zip(row).collect();
                    Value::Array(Box::new(Array { places, rest: None }))
                })
            }
            Sort::Int | Sort::Action | Sort::Abstract(_) => Listing::Endless(self.sort_name(sort)),
        }
    }

    fn values_of_data(&self, data: DataId, around: &mut Vec<DataId>) -> Listing {
        if around.contains(&data) {
            return Listing::Endless(self.sort_name(&Sort::Data(data)));
        }
        around.push(data);
        let mut all = Vec::new();
        let constructors = &self.world.net.algebra.datatypes[data.index()].constructors;
        for (index, constructor) in constructors.iter().enumerate() {
            let sorts: Vec<&Sort> = constructor.fields.iter().map(|(_, sort)| sort).collect();
            let made = |row| Value::Data(data, index as u32, row);
            match self.rows(&sorts, around, made) {
                Listing::All(more) => all.extend(more),
                other => return other,
            }
        }
        around.pop();
        Listing::All(all)
    }

    /// What is made of all rows of values of some sorts.
    fn rows(
        &self,
        sorts: &[&Sort],
        around: &mut Vec<DataId>,
        make: impl Fn(Vec<Value>) -> Value,
    ) -> Listing {
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for sort in sorts {
            let values = match self.values_within(sort, around) {
                Listing::All(values) => values,
                other => return other,
            };
            if values.len().saturating_mul(rows.len()) > MOST_VALUES {
                return Listing::Gap(Gap::TooDeep { name: self.sort_name(sort) });
            }
            let longer = |row: Vec<Value>| {
                let with = move |value: &Value| [row.clone(), vec![value.clone()]].concat();
                values.iter().map(with).collect::<Vec<_>>()
            };
            rows = rows.into_iter().flat_map(longer).collect();
        }
        Listing::All(rows.into_iter().map(make).collect())
    }

    /// Whether a value is one of a sort; nothing where that is not known yet.
    pub fn fits(&self, partial: &Partial, sort: &Sort) -> Result<Option<bool>, Gap> {
        match (sort, partial) {
            (Sort::Range(low, high), _) => self.is_between(partial, *low, *high),
            (_, Partial::Unknown(id)) => {
                Ok((self.known.store.get(*id).sort == *sort).then_some(true))
            }
            (Sort::Data(data), Partial::Whole(Value::Data(_, index, fields))) => {
                self.all_fit(fields, self.fields(*data, *index))
            }
            (Sort::Array(both), Partial::Whole(Value::Array(array))) => {
                let elements: Vec<Value> =
                    array.places.values().chain(&array.rest).cloned().collect();
                self.all_fit(&elements, std::iter::repeat(&both.1))
            }
            (Sort::Action, Partial::Whole(Value::Act(id, args))) => {
                self.all_fit(args, self.world.net.algebra.action(*id).sorts.iter())
            }
            (Sort::Action, Partial::Whole(Value::Sync(inner) | Value::Co(inner))) => {
                self.fits(&Partial::Whole((**inner).clone()), sort)
            }
            (_, Partial::Whole(_)) => Ok(Some(true)),
            _ => Ok(None),
        }
    }

    /// The sorts of the parts of something that is known in part.
    pub fn sorts_of_parts(&self, partial: &Partial, sort: &Sort) -> Option<Vec<Sort>> {
        Some(match (partial, sort) {
            (Partial::Data(_, index, _), Sort::Data(data)) => {
                self.fields(*data, *index).cloned().collect()
            }
            (Partial::Act(id, _), _) => self.world.net.algebra.action(*id).sorts.clone(),
            (Partial::Sync(_) | Partial::Co(_), _) => vec![Sort::Action],
            (Partial::Array(places), Sort::Array(both)) => vec![both.1.clone(); places.len()],
            _ => return None,
        })
    }

    fn is_between(
        &self,
        partial: &Partial,
        low: TermId,
        high: TermId,
    ) -> Result<Option<bool>, Gap> {
        let (low, high) = match self.bounds(low, high) {
            Bounds::Known(low, high) => (low, high),
            Bounds::Waiting => return Ok(None),
            Bounds::Gap(gap) => return Err(gap),
        };
        let Some(linear) = partial.linear() else { return Ok(None) };
        let (least, most) = self.known.store.bounds(&linear);
        if least.as_ref().is_some_and(|least| *least >= high)
            || most.as_ref().is_some_and(|most| *most < low)
        {
            return Ok(Some(false));
        }
        let inside =
            least.is_some_and(|least| low <= least) && most.is_some_and(|most| most < high);
        Ok(inside.then_some(true))
    }

    fn fields(&self, data: DataId, constructor: u32) -> impl Iterator<Item = &Sort> {
        let constructors = &self.world.net.algebra.datatypes[data.index()].constructors;
        constructors[constructor as usize].fields.iter().map(|(_, sort)| sort)
    }

    fn all_fit<'s>(
        &self,
        parts: &[Value],
        sorts: impl Iterator<Item = &'s Sort>,
    ) -> Result<Option<bool>, Gap> {
        for (part, sort) in parts.iter().zip(sorts) {
            match self.fits(&Partial::Whole(part.clone()), sort)? {
                Some(true) => {}
                other => return Ok(other),
            }
        }
        Ok(Some(true))
    }

    /// What people call a sort.
    pub fn sort_name(&self, sort: &Sort) -> String {
        let algebra = &self.world.net.algebra;
        match sort {
            Sort::Bool => "Bool".to_owned(),
            Sort::Int | Sort::Range(..) => "Int".to_owned(),
            Sort::Action => "Action".to_owned(),
            Sort::Abstract(id) => algebra.abstracts[id.index()].to_string(),
            Sort::Data(id) => algebra.datatypes[id.index()].name.to_string(),
            Sort::Array(both) => {
                format!("[{}]{}", self.sort_name(&both.0), self.sort_name(&both.1))
            }
        }
    }
}

/// The numbers from the first to just before the second.
fn numbers(low: &BigInt, high: &BigInt) -> Listing {
    if high <= low {
        return Listing::All(Vec::new());
    }
    match (high - low).to_usize().filter(|count| *count <= MOST_VALUES) {
        Some(count) => Listing::All((0..count).map(|place| Value::Int(low + place)).collect()),
        None => Listing::Gap(Gap::TooDeep { name: format!("{low}..{high}") }),
    }
}
