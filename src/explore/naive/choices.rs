//! Which values something unknown can have, where it has to be tried.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::attempt::{Attempt, Demand};
use super::evaluate::Reader;
use super::partial::{Partial, UnknownId};
use super::settle::undeclared;
use super::sorts::{Listing, MOST_VALUES};
use super::store::{Source, Unknown};
use super::world::World;
use crate::algebra::{ActionId, DataId, Sort, Term};
use crate::explore::{Gap, Value};
use crate::pnet::{HoleId, HoleSort};

/// Data that contain themselves are looked into so deep, and no deeper.
const MOST_PARTS: u32 = 3;
/// So many numbers are tried for one that would do, where there is no end of them.
const GUESSES: i32 = 16;

/// A form that something can have; its parts are unknown.
#[derive(Clone, Debug)]
pub(super) enum Form {
    Value(Value),
    Data(DataId, u32),
    Places(Vec<Value>, Sort),
    Act(ActionId),
    Sync(Box<Form>),
    Co(Box<Form>),
}

/// The forms that something unknown can have.
#[derive(Debug)]
pub(super) enum Forms {
    /// These, and no others.
    All(Vec<Form>),
    /// These; but their parts have to be known for something else.
    Deep(Vec<Form>),
    /// These are tried; whether there are others.
    Some(Vec<Form>, bool),
    /// Too many, because of this sort.
    Endless(String),
    /// That depends on what else is not known.
    Waiting,
    Gap(Gap),
}

impl Forms {
    /// What is tried first: what has an end before what has none, and of these what has few.
    pub fn rank(&self) -> (u8, usize) {
        match self {
            Forms::All(forms) => (0, forms.len()),
            Forms::Deep(forms) => (1, forms.len()),
            Forms::Some(forms, _) => (3, forms.len()),
            Forms::Endless(_) => (4, 0),
            Forms::Gap(_) => (5, 0),
            Forms::Waiting => (6, 0),
        }
    }
}

/// The rank of conditions of which one must hold.
pub(super) const ALTERNATIVES: (u8, usize) = (2, 0);

impl Attempt {
    /// The forms that something unknown can have. `guess`: any value will do, if there is one.
    pub fn forms(&self, world: &World<'_>, id: UnknownId, guess: bool) -> Forms {
        let unknown = self.known.store.get(id);
        match &unknown.sort {
            Sort::Bool => Forms::All([false, true].map(|one| Form::Value(Value::Bool(one))).into()),
            Sort::Int | Sort::Range(..) => numbers(world, unknown, guess),
            Sort::Abstract(sort) => match world.domains.abstracts.get(sort) {
                Some(&count) => {
                    let values = (0..count).map(|number| Value::Abstract(*sort, number));
                    Forms::Some(values.map(Form::Value).collect(), true)
                }
                None => Forms::Endless(self.reader(world).sort_name(&unknown.sort)),
            },
            Sort::Data(data) => self.constructors(world, *data, unknown),
            Sort::Array(both) => match self.reader(world).values(&both.0) {
                Listing::All(places) => Forms::All(vec![Form::Places(places, both.1.clone())]),
                Listing::Endless(_) => Forms::Endless(self.reader(world).sort_name(&unknown.sort)),
                Listing::Waiting => Forms::Waiting,
                Listing::Gap(gap) => Forms::Gap(gap),
            },
            Sort::Action => match unknown.source {
                Source::Hole(hole) => Forms::All(actions(world, hole)),
                _ => Forms::Endless(self.reader(world).sort_name(&unknown.sort)),
            },
        }
    }

    fn reader<'a>(&'a self, world: &'a World<'a>) -> Reader<'a> {
        Reader { world, known: &self.known }
    }

    fn constructors(&self, world: &World<'_>, data: DataId, unknown: &Unknown) -> Forms {
        let count = world.net.algebra.datatypes[data.index()].constructors.len();
        let forms = (0..count as u32).map(|index| Form::Data(data, index)).collect();
        match (contains_itself(world, data), unknown.source) {
            (false, _) => Forms::All(forms),
            (true, Source::Part(depth)) if depth >= MOST_PARTS => {
                Forms::Endless(self.reader(world).sort_name(&unknown.sort))
            }
            (true, _) => Forms::Deep(forms),
        }
    }

    /// The same attempt where something unknown has a form.
    pub fn with(&self, world: &World<'_>, id: UnknownId, form: &Form) -> Attempt {
        let mut other = self.clone();
        let unknown = self.known.store.get(id);
        let depth = match unknown.source {
            Source::Part(depth) => depth + 1,
            _ => 1,
        };
        let is = other.made(world, form, &unknown.name, depth);
        other.learn(id, is);
        other
    }

    fn made(&mut self, world: &World<'_>, form: &Form, name: &str, depth: u32) -> Partial {
        let algebra = &world.net.algebra;
        match form {
            Form::Value(value) => Partial::Whole(value.clone()),
            Form::Data(data, index) => {
                let fields = &algebra.datatypes[data.index()].constructors[*index as usize].fields;
                let part = |(_, sort): &(_, Sort)| self.part(name, sort, depth);
                Partial::data(*data, *index, fields.iter().map(part).collect())
            }
            Form::Places(places, sort) => {
                let each = |place: &Value| (place.clone(), self.part(name, sort, depth));
                Partial::array(places.iter().map(each).collect::<BTreeMap<_, _>>())
            }
            Form::Act(id) => {
                let signature = algebra.action(*id);
                let name = format!("{name}.{}", signature.name);
                let part = |sort: &Sort| self.part(&name, sort, depth);
                Partial::act(*id, signature.sorts.iter().map(part).collect())
            }
            Form::Sync(inner) => Partial::sync(self.made(world, inner, name, depth)),
            Form::Co(inner) => Partial::co(self.made(world, inner, name, depth)),
        }
    }

    fn part(&mut self, name: &str, sort: &Sort, depth: u32) -> Partial {
        self.unknown(name.to_owned(), sort.clone(), Source::Part(depth))
    }

    /// Attempts for the conditions of which one must hold, for the first such thing that is not settled.
    pub fn alternatives(&self, world: &World<'_>) -> Option<Vec<Attempt>> {
        self.pending.iter().enumerate().find_map(|(place, one)| {
            let ways: Vec<Vec<Demand>> = match &one.demand {
                Demand::True(term) => match world.terms.get(*term) {
                    Term::Or(parts) => parts.iter().map(|&part| vec![Demand::True(part)]).collect(),
                    Term::If(condition, yes, no) => vec![
                        vec![Demand::True(*condition), Demand::True(*yes)],
                        vec![Demand::False(*condition), Demand::True(*no)],
                    ],
                    _ => return None,
                },
                Demand::False(term) => match world.terms.get(*term) {
                    Term::And(parts) => {
                        parts.iter().map(|&part| vec![Demand::False(part)]).collect()
                    }
                    Term::If(condition, yes, no) => vec![
                        vec![Demand::True(*condition), Demand::False(*yes)],
                        vec![Demand::False(*condition), Demand::False(*no)],
                    ],
                    _ => return None,
                },
                _ => return None,
            };
            let way = |demands: Vec<Demand>| {
                let mut other = self.clone();
                let owed = other.pending.remove(place).owed;
                for demand in demands {
                    other.pending.push(super::attempt::Constraint { demand, owed });
                }
                other
            };
            Some(ways.into_iter().map(way).collect())
        })
    }
}

/// The numbers that something can be.
fn numbers(world: &World<'_>, unknown: &Unknown, guess: bool) -> Forms {
    if let (Some(low), Some(high)) = (&unknown.low, &unknown.high)
        && let Some(forms) = all_numbers(low, high)
    {
        return Forms::All(forms);
    }
    let forms = endless_numbers(world, unknown, guess);
    if world.domains.also.is_empty() { forms } else { with_others(world, unknown, forms) }
}

/// The numbers that are tried where there are too many.
fn endless_numbers(world: &World<'_>, unknown: &Unknown, guess: bool) -> Forms {
    let (low, high) = (&unknown.low, &unknown.high);
    if let Some((first, end)) = &world.domains.integers {
        let last: BigInt = end - 1;
        let least = low.clone().map_or(first.clone(), |low| low.max(first.clone()));
        let most = high.clone().map_or(last.clone(), |high| high.min(last.clone()));
        let is_inside = low.as_ref().is_some_and(|low| first <= low)
            && high.as_ref().is_some_and(|high| *high <= last);
        let forms = if least > most { Some(Vec::new()) } else { all_numbers(&least, &most) };
        return forms.map_or_else(too_many, |forms| Forms::Some(forms, !is_inside));
    }
    match (guess, low, high) {
        (false, ..) => too_many(),
        (true, Some(low), _) => {
            let near = (0..GUESSES).map(|more| Form::Value(Value::Int(low + more)));
            Forms::Some(near.collect(), true)
        }
        (true, None, Some(high)) => {
            let near = (0..GUESSES).map(|less| Form::Value(Value::Int(high - less)));
            Forms::Some(near.collect(), true)
        }
        (true, None, None) => {
            let near = (-GUESSES..=GUESSES).map(|one| Form::Value(Value::Int(one.into())));
            Forms::Some(near.collect(), true)
        }
    }
}

/// All numbers from the first to the second; nothing where there are too many.
fn all_numbers(low: &BigInt, high: &BigInt) -> Option<Vec<Form>> {
    let count = (high - low + 1_u8).to_usize().filter(|count| *count <= MOST_VALUES)?;
    Some((0..count).map(|place| Form::Value(Value::Int(low + place))).collect())
}

/// Some numbers, and those that are tried besides.
fn with_others(world: &World<'_>, unknown: &Unknown, forms: Forms) -> Forms {
    let mut known: BTreeSet<BigInt> = BTreeSet::new();
    if let Forms::Some(forms, _) = &forms {
        known.extend(forms.iter().filter_map(|form| match form {
            Form::Value(Value::Int(value)) => Some(value.clone()),
            _ => None,
        }));
    }
    let fits = |value: &&BigInt| {
        unknown.low.as_ref().is_none_or(|low| low <= *value)
            && unknown.high.as_ref().is_none_or(|high| *value <= high)
    };
    let mut others: Vec<&BigInt> = world.domains.also.iter().filter(fits).collect();
    others.retain(|value| known.insert((*value).clone()));
    let more = others.into_iter().map(|value| Form::Value(Value::Int(value.clone())));
    match forms {
        Forms::Some(mut forms, limited) => {
            forms.extend(more);
            Forms::Some(forms, limited)
        }
        _ => Forms::Some(more.collect(), true),
    }
}

fn too_many() -> Forms {
    Forms::Endless("Int".to_owned())
}

/// Everything that a hole may do.
fn actions(world: &World<'_>, hole: HoleId) -> Vec<Form> {
    let declared = (0..world.net.algebra.actions.len() as u32).map(ActionId).map(Form::Act);
    let others = (0..undeclared(world) as u32).map(Value::Other).map(Form::Value);
    let mut known: Vec<Form> = declared.chain(others).collect();
    if world.terms.has_complements() {
        let co: Vec<Form> = known.iter().cloned().map(|one| Form::Co(Box::new(one))).collect();
        known.extend(co);
    }
    let mut all = match &world.net.holes[hole].sort {
        HoleSort::Actions(actions) => actions.iter().copied().map(Form::Act).collect(),
        HoleSort::Any => known.clone(),
    };
    all.push(Form::Value(Value::Tau));
    all.extend(known.into_iter().map(|one| Form::Sync(Box::new(one))));
    all
}

/// Whether a datatype contains itself, also through others.
fn contains_itself(world: &World<'_>, data: DataId) -> bool {
    let datatypes = &world.net.algebra.datatypes;
    let fields = |data: DataId| {
        let constructors = datatypes[data.index()].constructors.iter();
        constructors.flat_map(|one| one.fields.iter().map(|(_, sort)| sort))
    };
    let mut seen = vec![false; datatypes.len()];
    let mut work: Vec<&Sort> = fields(data).collect();
    while let Some(sort) = work.pop() {
        match sort {
            Sort::Data(inner) if *inner == data => return true,
            Sort::Data(inner) if !std::mem::replace(&mut seen[inner.index()], true) => {
                work.extend(fields(*inner));
            }
            Sort::Array(both) => work.extend([&both.0, &both.1]),
            _ => {}
        }
    }
    false
}
