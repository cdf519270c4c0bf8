//! A run as a solver sees it, made by the plain interpreter.
//!
//! A lead only guides: it says which values symbolic constants, variables without an initial value and inputs have, and which
//! of the steps that are possible is meant. What is possible is said by the interpreter alone, so that whatever comes out is
//! a run of the net, also where the solver or an engine is wrong.

use std::collections::BTreeSet;
use std::sync::Arc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::NotFollowed;
use super::follow::possible;
use crate::algebra::{AbstractId, Sort, VarId};
use crate::base::budget;
use crate::explore::naive::Interpreter;
use crate::explore::{Array, Configuration, Domains, Gap, Step, Value};
use crate::pnet::{PNet, PltsId, TransitionPlace, VectorPlace};
use crate::safety::{Lead, LeadStep, Problem};
use crate::smt;

/// More steps than these are not tried besides those of the lead.
const MOST_TRIES: usize = 2_000;

/// A run that the plain interpreter has made.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The configurations, one more than steps.
    pub path: Vec<Configuration>,
    /// The steps between them.
    pub steps: Vec<Step>,
    /// The values that were tried where there are too many: with these, the interpreter finds the run again.
    pub domains: Domains,
}

/// Makes the run that a lead speaks of. That its end is bad is for the caller to see.
pub fn follow_lead(problem: &Problem<'_>, lead: &Lead) -> Result<Followed, NotFollowed> {
    let net = problem.net;
    let mut reading = Reading::of(net);
    let constants = reading.constants(lead)?;
    let free = reading.free(lead)?;
    let guides: Vec<Guide> = lead.steps.iter().map(|step| reading.guide(problem, step)).collect();
    let domains = reading.domains();
    let interpreter = Interpreter::new(net, domains.clone());
    let unknown = |gap: Gap| NotFollowed::Unknown { number: 0, gap };
    let begins = interpreter.beginning(&constants, free).map_err(unknown)?;
    let begin = begins.configurations.into_iter().next().ok_or(NotFollowed::Begin)?;
    let steps = followed(&interpreter, &begin, &guides)?;
    let targets = steps.iter().map(|step| step.target.clone());
    let path = std::iter::once(begin).chain(targets).collect();
    Ok(Followed { path, steps, domains })
}

/// Makes the steps that a lead speaks of from the configuration in which it has the net be, wherever that comes from: nobody
/// says that it can be reached.
pub fn follow_from(problem: &Problem<'_>, lead: &Lead) -> Result<Followed, NotFollowed> {
    let net = problem.net;
    let mut reading = Reading::of(net);
    let begin = reading.configuration(problem, lead)?;
    let guides: Vec<Guide> = lead.steps.iter().map(|step| reading.guide(problem, step)).collect();
    let domains = reading.domains();
    let interpreter = Interpreter::new(net, domains.clone());
    let steps = followed(&interpreter, &begin, &guides)?;
    let targets = steps.iter().map(|step| step.target.clone());
    let path = std::iter::once(begin).chain(targets).collect();
    Ok(Followed { path, steps, domains })
}

/// What a step of a lead says.
struct Guide {
    /// The transitions of leaves, in order.
    transitions: Vec<TransitionPlace>,
    /// The vectors, in order.
    vectors: Vec<VectorPlace>,
    /// The values of inputs and of the variables of vectors.
    given: FxHashMap<VarId, Value>,
    /// Some of the values after it: a leaf, the place of a variable, and its value.
    after: Vec<(PltsId, usize, Value)>,
}

impl Guide {
    fn is_meant(&self, step: &Step) -> bool {
        let (mut transitions, mut vectors) = (step.transitions.clone(), step.vectors.clone());
        transitions.sort_unstable();
        vectors.sort_unstable();
        transitions == self.transitions && vectors == self.vectors
    }

    /// How many values after a step are those of the lead.
    fn likeness(&self, step: &Step) -> usize {
        let values = &step.target.values;
        let same = |(leaf, place, value): &&(PltsId, usize, Value)| values[*leaf][*place] == *value;
        self.after.iter().filter(same).count()
    }
}

/// The steps that guides speak of. Where several fit, those that are most like it come first, and the others when there is no
/// way on.
fn followed(
    interpreter: &Interpreter<'_>,
    begin: &Configuration,
    guides: &[Guide],
) -> Result<Vec<Step>, NotFollowed> {
    let budget = budget::here();
    let mut chosen: Vec<Step> = Vec::with_capacity(guides.len());
    let mut others: Vec<Vec<Step>> = Vec::with_capacity(guides.len());
    let mut furthest = 0;
    for _ in 0..MOST_TRIES + guides.len() {
        let number = chosen.len();
        let Some(guide) = guides.get(number) else { return Ok(chosen) };
        if budget.is_spent() {
            return Err(NotFollowed::Unknown { number, gap: Gap::Stopped });
        }
        furthest = furthest.max(number + 1);
        let here = chosen.last().map_or(begin, |step| &step.target);
        let unknown = |gap: Gap| NotFollowed::Unknown { number, gap };
        others.push(fitting(interpreter, here, guide).map_err(unknown)?);
        loop {
            let Some(left) = others.last_mut() else {
                return Err(NotFollowed::Step { number: furthest });
            };
            if let Some(next) = left.pop() {
                chosen.push(next);
                break;
            }
            others.pop();
            chosen.pop();
        }
    }
    match chosen.len() == guides.len() {
        true => Ok(chosen),
        false => Err(NotFollowed::Step { number: furthest }),
    }
}

/// The steps that may be meant, the likeliest last.
fn fitting(
    interpreter: &Interpreter<'_>,
    at: &Configuration,
    guide: &Guide,
) -> Result<Vec<Step>, Gap> {
    let (possible, untold) = possible(interpreter, at, guide.given.clone(), None)?;
    let mut steps = possible.steps;
    steps.retain(|step| guide.is_meant(step));
    if let (true, Some(gap)) = (steps.is_empty(), untold) {
        return Err(gap);
    }
    steps.reverse();
    steps.sort_by_key(|step| guide.likeness(step));
    Ok(steps)
}

/// Reads the values of a lead.
struct Reading<'n> {
    net: &'n PNet,
    /// The numbers of values of abstract sorts.
    abstracts: FxHashMap<(AbstractId, usize), u32>,
    /// How many there are of each sort.
    counts: FxHashMap<AbstractId, u32>,
    /// The numbers of actions that nobody declared.
    others: FxHashMap<BigInt, u32>,
    integers: BTreeSet<BigInt>,
}

impl<'n> Reading<'n> {
    fn of(net: &'n PNet) -> Reading<'n> {
        let (abstracts, counts, others, integers) = Default::default();
        Reading { net, abstracts, counts, others, integers }
    }

    fn domains(self) -> Domains {
        let also = self.integers.into_iter().collect();
        Domains { abstracts: self.counts, also, ..Domains::default() }
    }

    fn constants(&mut self, lead: &Lead) -> Result<Vec<Option<Value>>, NotFollowed> {
        let constants = &self.net.algebra.constants;
        let mut values = vec![None; constants.len()];
        for (id, value) in &lead.constants {
            let constant = &constants[id.index()];
            if constant.value.is_none() {
                let value = self.value(value, &constant.sort);
                let name = || constant.name.to_string();
                values[id.index()] =
                    Some(value.ok_or_else(|| NotFollowed::NoValue { name: name() })?);
            }
        }
        Ok(values)
    }

    /// The values of variables that have no initial value.
    fn free(&mut self, lead: &Lead) -> Result<FxHashMap<VarId, Value>, NotFollowed> {
        let mut values = FxHashMap::default();
        let variables = self.net.plts.iter().flat_map(|plts| &plts.variables);
        for (var, _) in variables.filter(|(_, initial)| initial.is_none()) {
            values.insert(*var, self.value_of(*var, lead)?);
        }
        Ok(values)
    }

    /// The configuration in which a lead begins, as it stands there.
    fn configuration(
        &mut self,
        problem: &Problem<'_>,
        lead: &Lead,
    ) -> Result<Configuration, NotFollowed> {
        let constants = Arc::new(self.constants(lead)?);
        let (mut states, mut values) = (FxHashMap::default(), FxHashMap::default());
        for component in &problem.components {
            let is_there = |var: &VarId| lead.begin.get(var) == Some(&smt::Value::Bool(true));
            let mut at = component.locations.enumerated();
            let at = at.find(|(_, var)| is_there(var)).map(|(location, _)| location);
            let at = at.ok_or_else(|| NotFollowed::NoValue { name: component.path.clone() })?;
            states.insert(component.plts, at);
            let here = component.variables.iter().map(|(var, _)| self.value_of(*var, lead));
            values.insert(component.plts, here.collect::<Result<Vec<Value>, NotFollowed>>()?);
        }
        let net = self.net;
        let state = |id: PltsId| states.get(&id).copied().unwrap_or(net.plts[id].initial);
        let states = net.plts.ids().map(state).collect();
        let values = net.plts.ids().map(|id| values.remove(&id).unwrap_or_default()).collect();
        Ok(Configuration { constants, states, values })
    }

    /// The value of a variable where a lead begins.
    fn value_of(&mut self, var: VarId, lead: &Lead) -> Result<Value, NotFollowed> {
        let sort = self.net.sort_of(var);
        let value = lead.begin.get(&var).and_then(|value| self.value(value, sort));
        let name = || self.net.terms.var(var).name.to_string();
        value.ok_or_else(|| NotFollowed::NoValue { name: name() })
    }

    fn guide(&mut self, problem: &Problem<'_>, step: &LeadStep) -> Guide {
        let interaction = &problem.interactions[step.interaction];
        let ways = interaction.participants.iter().zip(&step.ways);
        let mut transitions: Vec<TransitionPlace> = ways
            .map(|(participant, &way)| {
                let plts = problem.components[participant.component].plts;
                (plts, participant.ways[way].transition)
            })
            .collect();
        let mut vectors = interaction.vectors.clone();
        transitions.sort_unstable();
        vectors.sort_unstable();
        // The interpreter has few such actions, and they are not kept in variables.
        self.others.clear();
        let mut given = FxHashMap::default();
        for (var, value) in &step.locals {
            let value = self.value(value, &problem.terms.var(*var).sort);
            given.extend(value.map(|value| (*var, value)));
        }
        Guide { transitions, vectors, given, after: self.after(step) }
    }

    fn after(&mut self, step: &LeadStep) -> Vec<(PltsId, usize, Value)> {
        let net = self.net;
        let mut found = Vec::new();
        for (leaf, plts) in net.plts.enumerated() {
            for (place, (var, _)) in plts.variables.iter().enumerate() {
                let value = step.after.get(var);
                let value = value.and_then(|value| self.value(value, net.sort_of(*var)));
                found.extend(value.map(|value| (leaf, place, value)));
            }
        }
        found
    }

    /// A value as the interpreter has it; nothing where the solver could not write it down.
    fn value(&mut self, value: &smt::Value, sort: &Sort) -> Option<Value> {
        Some(match (value, sort) {
            (smt::Value::Bool(value), _) => Value::Bool(*value),
            (smt::Value::Int(value), _) => {
                self.integers.insert(value.clone());
                Value::Int(value.clone())
            }
            (smt::Value::Abstract(number), Sort::Abstract(id)) => {
                let count = self.counts.entry(*id).or_default();
                let own = self.abstracts.entry((*id, *number)).or_insert_with(|| {
                    *count += 1;
                    *count - 1
                });
                Value::Abstract(*id, *own)
            }
            (smt::Value::Construct(data, index, fields), _) => {
                let constructors = &self.net.algebra.datatypes[data.index()].constructors;
                let sorts = constructors[*index as usize].fields.iter().map(|(_, sort)| sort);
                Value::Data(*data, *index, self.all(fields, sorts)?)
            }
            (smt::Value::Array(places, rest), Sort::Array(both)) => {
                self.array((places, rest.as_deref()), both)?
            }
            (smt::Value::Act(id, args), _) => {
                let sorts = self.net.algebra.action(*id).sorts.iter();
                Value::Act(*id, self.all(args, sorts)?)
            }
            (smt::Value::Tau, _) => Value::Tau,
            (smt::Value::Sync(inner), _) => Value::Sync(Box::new(self.value(inner, sort)?)),
            (smt::Value::Co(inner), _) => Value::Co(Box::new(self.value(inner, sort)?)),
            (smt::Value::Other(number), _) => {
                let next = self.others.len() as u32;
                Value::Other(*self.others.entry(number.clone()).or_insert(next))
            }
            _ => return None,
        })
    }

    fn all<'s>(
        &mut self,
        values: &[smt::Value],
        sorts: impl Iterator<Item = &'s Sort>,
    ) -> Option<Vec<Value>> {
        values.iter().zip(sorts).map(|(value, sort)| self.value(value, sort)).collect()
    }

    fn array(
        &mut self,
        (places, rest): (&[(smt::Value, smt::Value)], Option<&smt::Value>),
        (key, element): &(Sort, Sort),
    ) -> Option<Value> {
        let places = places
            .iter()
            .map(|(at, value)| Some((self.value(at, key)?, self.value(value, element)?)))
            .collect::<Option<_>>()?;
        let rest = match rest {
            Some(rest) => Some(self.value(rest, element)?),
            None => None,
        };
        Some(Value::Array(Box::new(Array { places, rest })))
    }
}
