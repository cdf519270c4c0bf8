//! A run as an engine tells it, made again by the plain interpreter.
//!
//! What is told only guides: the numbers in it are tried where there is no end of values, and of the steps that are possible
//! those are taken that move the same components, the most alike first. What comes out is a run of the net that ends as it
//! is said to, and is written like all others, so that `pnet replay` accepts it. Values of abstract sorts may be others:
//! these have nothing but names.

use num_bigint::BigInt;

use super::mentioned::Mentioned;
use super::replay::{MOST_TRIED, movers, open_at_first};
use super::{Followed, NotFollowed, Teller};
use crate::base::budget;
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Domains, Gap, Property, Step};
use crate::outcome::{Data, Equation, Trace, TraceStep, Value};

/// More steps than these are not tried besides those of the run.
const MOST_TRIES: usize = 500;

/// More configurations than these are not tried to begin with.
const MOST_BEGINNINGS: usize = 20;

/// So many values of an abstract sort are tried besides those that a run names.
const MORE_ABSTRACT: usize = 1;

/// What is to be so at the end of a run.
#[derive(Clone, Copy, Debug)]
pub enum RunGoal<'g> {
    /// Nothing is possible, and not all components are in final states.
    Deadlock,
    /// Nothing is possible.
    Still,
    /// A property is true or false, or has no value.
    Property(&'g Property, Option<bool>),
}

impl RunGoal<'_> {
    fn is_met(self, by: &Interpreter<'_>, at: &Configuration) -> Result<bool, Gap> {
        match self {
            RunGoal::Property(property, holds) => Ok(by.holds(at, property)? == holds),
            RunGoal::Deadlock => Ok(!by.is_final(at) && !by.can_step(at)?),
            RunGoal::Still => Ok(!by.can_step(at)?),
        }
    }
}

/// Makes a run again.
pub fn made_again(
    teller: &Teller<'_>,
    told: &Trace,
    goal: RunGoal<'_>,
) -> Result<Followed, NotFollowed> {
    let making = Making {
        teller,
        told,
        goal,
        by: Interpreter::new(teller.net(), domains(teller, told, goal)),
    };
    let mut failed = NotFollowed::Begin;
    for begin in making.beginnings()?.into_iter().take(MOST_BEGINNINGS) {
        match making.from(&begin) {
            Ok(steps) => {
                let targets = steps.iter().map(|step| step.target.clone());
                let path = std::iter::once(begin).chain(targets).collect();
                return Ok(Followed { path, steps, domains: domains(teller, told, goal) });
            }
            Err(why) => failed = why,
        }
    }
    Err(failed)
}

/// The values that are tried: so many of abstract sorts as are told of, and the constants that the goal speaks of.
fn domains(teller: &Teller<'_>, told: &Trace, goal: RunGoal<'_>) -> Domains {
    let algebra = &teller.net().algebra;
    let mut names: Vec<&str> = Vec::new();
    let steps = told.steps.iter().flat_map(values_of);
    let begins = told.with.iter().chain(&told.begins).map(|one| &one.value);
    steps.chain(begins).for_each(|value| named(value.data.as_ref(), &mut names));
    names.sort_unstable();
    names.dedup();
    let count = (names.len() + MORE_ABSTRACT) as u32;
    let sorts = (0..algebra.abstracts.len()).map(|index| crate::algebra::AbstractId(index as u32));
    let abstracts = sorts.map(|sort| (sort, count)).collect();
    let domains = Domains { abstracts, ..Domains::default() };
    match goal {
        RunGoal::Property(property, _) => domains.about(property.constants(algebra)),
        RunGoal::Deadlock | RunGoal::Still => domains,
    }
}

/// The values in a step.
fn values_of(step: &TraceStep) -> impl Iterator<Item = &Value> {
    let holes = step.holes.iter().map(|one| &one.value);
    step.action.iter().chain(holes).chain(step.changes.iter().map(|one| &one.after))
}

/// The names of values of abstract sorts.
fn named<'d>(data: Option<&'d Data>, found: &mut Vec<&'d str>) {
    let mut work: Vec<&Data> = data.into_iter().collect();
    while let Some(one) = work.pop() {
        match one {
            Data::Named { name } => found.push(name),
            Data::Constructed { fields, .. } => work.extend(fields),
            Data::Action { arguments, .. } => work.extend(arguments),
            Data::Array { places, otherwise } => {
                work.extend(places.iter().flat_map(|(key, value)| [key, value]));
                work.extend(otherwise.as_deref());
            }
            Data::Sync { sync } => work.push(sync),
            Data::Co { co } => work.push(co),
            Data::Bool(_) | Data::Int(_) | Data::BigInt { .. } => {}
        }
    }
}

struct Making<'a, 'n> {
    teller: &'a Teller<'n>,
    told: &'a Trace,
    goal: RunGoal<'a>,
    by: Interpreter<'n>,
}

impl Making<'_, '_> {
    /// Where it may begin, the most alike first.
    fn beginnings(&self) -> Result<Vec<Configuration>, NotFollowed> {
        let mut mentioned = Mentioned::of_beginning(self.told);
        // Of what nothing is said, something small may do.
        mentioned.integers.extend((0..3).map(BigInt::from));
        let open = open_at_first(self.by.net());
        if mentioned.integers.len().checked_pow(open).is_none_or(|all| all > MOST_TRIED) {
            mentioned.integers.clear();
        }
        let unknown = |gap: Gap| NotFollowed::Unknown { number: 0, gap };
        let initial = mentioned.tried(&self.by).initial().map_err(unknown)?;
        if initial.configurations.is_empty() {
            return Err(match initial.limited {
                true => unknown(Gap::Undefined),
                false => NotFollowed::Begin,
            });
        }
        let mut all = initial.configurations;
        all.sort_by_cached_key(|at| std::cmp::Reverse(self.likeness_at_first(at)));
        Ok(all)
    }

    /// How many values are those that are told where it begins.
    fn likeness_at_first(&self, at: &Configuration) -> usize {
        let constants = alike(&self.teller.constants(at), &self.told.with);
        let own = self.teller.components(at);
        let pairs = own.iter().filter_map(|own| {
            Some((own, self.told.components.iter().find(|told| told.path == own.path)?))
        });
        let variables = pairs.map(|(own, told)| alike(&own.variables, &told.variables));
        constants + variables.sum::<usize>()
    }

    /// The steps from a configuration on. Where several fit, those that are most alike come first, and the others when there
    /// is no way on, or the end is not what it should be.
    fn from(&self, begin: &Configuration) -> Result<Vec<Step>, NotFollowed> {
        let (budget, steps) = (budget::here(), &self.told.steps);
        let mut chosen: Vec<Step> = Vec::with_capacity(steps.len());
        let mut others: Vec<Vec<Step>> = Vec::with_capacity(steps.len());
        let (mut furthest, mut limited) = (0, false);
        for _ in 0..MOST_TRIES + steps.len() {
            let number = chosen.len();
            let unknown = |gap: Gap| NotFollowed::Unknown { number, gap };
            if budget.is_spent() {
                return Err(unknown(Gap::Stopped));
            }
            let here = chosen.last().map_or(begin, |step| &step.target);
            match steps.get(number) {
                None if self.goal.is_met(&self.by, here).map_err(unknown)? => return Ok(chosen),
                None => others.push(Vec::new()),
                Some(told) => {
                    furthest = furthest.max(number + 1);
                    let (fitting, some) = self.fitting(here, told).map_err(unknown)?;
                    limited |= some;
                    others.push(fitting);
                }
            }
            loop {
                let Some(left) = others.last_mut() else {
                    return Err(match limited {
                        true => NotFollowed::Unknown { number: furthest, gap: Gap::Undefined },
                        false => NotFollowed::Step { number: furthest },
                    });
                };
                if let Some(next) = left.pop() {
                    chosen.truncate(others.len() - 1);
                    chosen.push(next);
                    break;
                }
                others.pop();
            }
        }
        Err(NotFollowed::Unknown { number: furthest, gap: Gap::Undefined })
    }

    /// The steps that may be meant, the likeliest last; and whether there may be others, with values that are not tried.
    fn fitting(&self, at: &Configuration, told: &TraceStep) -> Result<(Vec<Step>, bool), Gap> {
        let (possible, _) = Mentioned::of_step(told).steps(&self.by, at)?;
        let wanted = movers(told);
        let mut all: Vec<(usize, Step)> = Vec::new();
        for step in possible.steps {
            let own = self.teller.step(at, &step);
            if movers(&own) == wanted {
                all.push((likeness(&own, told), step));
            }
        }
        all.reverse();
        all.sort_by_key(|(likeness, _)| *likeness);
        Ok((all.into_iter().map(|(_, step)| step).collect(), possible.limited))
    }
}

/// How much of a step is as it is told.
fn likeness(own: &TraceStep, told: &TraceStep) -> usize {
    let action = match (&own.action, &told.action) {
        (Some(own), Some(told)) => is_alike(own, told),
        (own, told) => own.is_none() && told.is_none(),
    };
    let changes = told.changes.iter().filter(|told| {
        let mut same = own.changes.iter().filter(|own| own.variable == told.variable);
        same.any(|own| is_alike(&own.after, &told.after))
    });
    let vectors = |step: &TraceStep| -> Vec<_> {
        step.by.iter().flat_map(|by| by.vectors.iter().map(|one| one.at.clone())).collect()
    };
    usize::from(vectors(own) == vectors(told))
        + usize::from(action)
        + usize::from(own.changes.len() == told.changes.len())
        + alike(&own.holes, &told.holes)
        + changes.count()
}

/// How many of the values that are told are so.
fn alike(own: &[Equation], told: &[Equation]) -> usize {
    let is_so = |told: &&Equation| {
        own.iter().any(|own| own.what == told.what && is_alike(&own.value, &told.value))
    };
    told.iter().filter(is_so).count()
}

/// Whether two values are the same, however they are written. Those of abstract sorts may be.
fn is_alike(own: &Value, told: &Value) -> bool {
    let (Some(own), Some(told)) = (&own.data, &told.data) else { return own.text == told.text };
    let mut work = vec![(own, told)];
    while let Some(pair) = work.pop() {
        match pair {
            (Data::Named { .. }, Data::Named { .. }) => {}
            (
                Data::Constructed { constructor: own, fields: ours },
                Data::Constructed { constructor: told, fields: theirs },
            )
            | (
                Data::Action { action: own, arguments: ours },
                Data::Action { action: told, arguments: theirs },
            ) if own == told && ours.len() == theirs.len() => {
                work.extend(ours.iter().zip(theirs));
            }
            (Data::Sync { sync: own }, Data::Sync { sync: told })
            | (Data::Co { co: own }, Data::Co { co: told }) => work.push((own, told)),
            (
                Data::Array { places: ours, otherwise: rest },
                Data::Array { places: theirs, otherwise },
            ) => {
                for (key, value) in ours {
                    let there = theirs.iter().find(|(place, _)| place == key);
                    match there.map(|(_, value)| value).or(otherwise.as_deref()) {
                        Some(told) => work.push((value, told)),
                        None => return false,
                    }
                }
                if let (Some(own), Some(told)) = (rest, otherwise) {
                    work.push((own, told));
                }
            }
            (own, told) if own == told => {}
            _ => return false,
        }
    }
    true
}
