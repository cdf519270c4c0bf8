//! Walks: choices followed, a random way, the way to a goal, and the choices of a run that somebody brings.

use std::collections::VecDeque;
use std::sync::Arc;

use num_bigint::BigInt;
use rustc_hash::FxHashSet;

use super::{LONGEST_WALK, View, ViewProblem, Viewed, Walk};
use crate::base::{Watch, budget};
use crate::emit::trace::Recorded;
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, Gap, Property, Step, Value};
use crate::simulate::{Replayed, StepCommand, StepProblem, Stepper, Teller, replay, replay_itf};

/// At most so many configurations are looked at on the way to a goal.
const MOST_LOOKED_AT: usize = 200_000;

/// So often it is told how far the search is.
const TELL: usize = 256;

impl Viewed {
    /// The plain interpreter, with what else is tried.
    pub(super) fn interpreter(&self, walk: &Walk) -> Result<Interpreter<'_>, ViewProblem> {
        let plain = Interpreter::new(&self.net, self.domains.clone());
        let integers = walk.integers()?;
        Ok(if integers.is_empty() { plain } else { plain.trying(integers) })
    }

    /// Who tells of it.
    pub(super) fn teller(&self) -> Teller<'_> {
        Teller::new(&self.checked, &self.net, &self.name)
    }

    fn stepper(&self, walk: &Walk) -> Result<Stepper<'_>, ViewProblem> {
        Ok(Stepper::new(self.interpreter(walk)?, self.teller(), 1)?)
    }
}

/// How many choices come before the first step.
fn before_steps(stepper: &Stepper<'_>) -> usize {
    usize::from(stepper.beginnings().len() > 1)
}

impl View {
    /// Follows a walk; `then` sees where it leads.
    pub(super) fn follow<R>(
        &mut self,
        walk: &Walk,
        then: impl FnOnce(&mut Stepper<'_>) -> Result<R, ViewProblem>,
    ) -> Result<R, ViewProblem> {
        if walk.choices.len() > LONGEST_WALK {
            return Err(ViewProblem::TooLong { found: walk.choices.len() });
        }
        let viewed = Arc::clone(&self.viewed);
        let mut stepper = viewed.stepper(walk)?;
        let first = before_steps(&stepper);
        let mut done = 0;
        if let Some((kept, begin, steps)) = self.kept.as_deref()
            && kept.also == walk.also
        {
            let same = kept.choices.iter().zip(&walk.choices).take_while(|(a, b)| a == b).count();
            if same >= first && (same > 0 || first == 0) {
                let steps = steps[..(same - first).min(steps.len())].to_vec();
                stepper.resume(Replayed { begin: begin.clone(), steps, end_checked: false });
                done = same;
            }
        }
        for &choice in &walk.choices[done..] {
            if budget::is_spent() {
                return Err(ViewProblem::Gap(Gap::Stopped));
            }
            stepper.obey(&StepCommand::Take(choice))?;
        }
        if let Some((begin, steps)) = stepper.made() {
            self.kept = Some(Arc::new((walk.clone(), begin.clone(), steps.to_vec())));
        }
        then(&mut stepper)
    }

    /// Goes on at random, so many steps; fewer where nothing is possible.
    pub fn random(&mut self, walk: &Walk, count: usize, seed: u64) -> Result<Walk, ViewProblem> {
        let mut dice = crate::simulate::Dice::new(seed);
        let mut choices = walk.choices.clone();
        let room = LONGEST_WALK.saturating_sub(choices.len());
        self.follow(walk, |stepper| {
            if stepper.made().is_none() {
                let chosen = dice.below(stepper.beginnings().len()) + 1;
                stepper.obey(&StepCommand::Take(chosen))?;
                choices.push(chosen);
            }
            for _ in 0..count.min(room) {
                let Some(here) = here(stepper) else { break };
                let possible = stepper.interpreter().steps(here)?.steps.len();
                if possible == 0 || budget::is_spent() {
                    break;
                }
                let chosen = dice.below(possible) + 1;
                stepper.obey(&StepCommand::Take(chosen))?;
                choices.push(chosen);
            }
            Ok(())
        })?;
        Ok(Walk { choices, ..walk.clone() })
    }

    /// Goes on, by as few steps as possible, to where a property holds.
    pub fn to_goal(
        &mut self,
        walk: &Walk,
        goal: &Property,
        watch: &dyn Watch,
    ) -> Result<Walk, ViewProblem> {
        let mut choices = walk.choices.clone();
        let more = self.follow(walk, |stepper| {
            let from = here(stepper).ok_or(StepProblem::NotBegun)?;
            way(stepper.interpreter(), from, goal, watch)
        })?;
        choices.extend(more);
        Ok(Walk { choices, ..walk.clone() })
    }

    /// The walk that a recorded run is; more integers are tried where it needs them.
    pub fn load(&mut self, recorded: &Recorded, also: &[String]) -> Result<Walk, ViewProblem> {
        let viewed = Arc::clone(&self.viewed);
        let mut walk = Walk { choices: Vec::new(), also: also.to_vec() };
        let interpreter = viewed.interpreter(&walk)?;
        let by = (&interpreter, &viewed.teller());
        let run = match recorded {
            Recorded::Trace(trace) => replay(by, trace, None),
            Recorded::Itf(value) => replay_itf(by, value),
        }?;
        if run.steps.len() > LONGEST_WALK {
            return Err(ViewProblem::TooLong { found: run.steps.len() });
        }
        match numbered(&interpreter, &run) {
            Err(ViewProblem::Untried(_)) => {}
            found => {
                walk.choices = found?;
                return Ok(walk);
            }
        }
        let mut integers: Vec<BigInt> = walk.integers()?;
        run.begin.values.iter().flatten().for_each(|value| mentioned(value, &mut integers));
        for step in &run.steps {
            mentioned(&step.action, &mut integers);
            step.holes.iter().for_each(|(_, action)| mentioned(action, &mut integers));
        }
        walk.also = integers.iter().map(ToString::to_string).collect();
        walk.choices = numbered(&viewed.interpreter(&walk)?, &run)?;
        Ok(walk)
    }
}

/// Where a walk is.
pub(super) fn here<'s>(stepper: &'s Stepper<'_>) -> Option<&'s Configuration> {
    stepper.made().map(|(begin, steps)| steps.last().map_or(begin, |step| &step.target))
}

/// The integers in a value.
pub(super) fn mentioned(value: &Value, found: &mut Vec<BigInt>) {
    match value {
        Value::Int(number) if !found.contains(number) => found.push(number.clone()),
        Value::Data(_, _, inner) | Value::Act(_, inner) => {
            inner.iter().for_each(|value| mentioned(value, found));
        }
        Value::Sync(inner) | Value::Co(inner) => mentioned(inner, found),
        _ => {}
    }
}

/// The numbers of the choices that a run is made of.
pub(super) fn numbered(
    interpreter: &Interpreter<'_>,
    run: &Replayed,
) -> Result<Vec<usize>, ViewProblem> {
    let beginnings = interpreter.initial()?.configurations;
    let mut choices = Vec::with_capacity(run.steps.len() + 1);
    let begins = beginnings.iter().position(|one| *one == run.begin);
    let begins = begins.ok_or(ViewProblem::Untried(0))?;
    if beginnings.len() > 1 {
        choices.push(begins + 1);
    }
    let mut at = &run.begin;
    for (number, step) in run.steps.iter().enumerate() {
        if budget::is_spent() {
            return Err(ViewProblem::Gap(Gap::Stopped));
        }
        let possible = interpreter.steps(at)?.steps;
        let place = possible.iter().position(|one| one == step);
        choices.push(place.ok_or(ViewProblem::Untried(number + 1))? + 1);
        at = &step.target;
    }
    Ok(choices)
}

/// The choices of a shortest way to where a property holds.
fn way(
    interpreter: &Interpreter<'_>,
    from: &Configuration,
    goal: &Property,
    watch: &dyn Watch,
) -> Result<Vec<usize>, ViewProblem> {
    // Each configuration with the one before it, the choice there, and how far it is.
    let from = Arc::new(from.clone());
    let mut met: Vec<(Arc<Configuration>, usize, usize, u64)> = vec![(Arc::clone(&from), 0, 0, 0)];
    let mut known: FxHashSet<Arc<Configuration>> = [from].into_iter().collect();
    let mut todo: VecDeque<usize> = [0].into();
    let (mut limited, mut steps_seen) = (false, 0);
    while let Some(place) = todo.pop_front() {
        let (at, depth) = (Arc::clone(&met[place].0), met[place].3);
        if place.is_multiple_of(TELL) {
            watch.exploring(met.len() as u64, steps_seen, depth);
        }
        let unfinished = |gap: Gap| match gap {
            Gap::Stopped => ViewProblem::NotFound(met.len()),
            gap => gap.into(),
        };
        if interpreter.holds(&at, goal).map_err(unfinished)? == Some(true) {
            let (mut choices, mut place) = (Vec::new(), place);
            while place != 0 {
                choices.push(met[place].2);
                place = met[place].1;
            }
            choices.reverse();
            return Ok(choices);
        }
        if met.len() > MOST_LOOKED_AT || budget::is_spent() {
            return Err(ViewProblem::NotFound(met.len()));
        }
        let steps = interpreter.steps(&at).map_err(unfinished)?;
        limited |= steps.limited;
        steps_seen += steps.steps.len() as u64;
        for (number, Step { target, .. }) in steps.steps.into_iter().enumerate() {
            let target = Arc::new(target);
            if known.insert(Arc::clone(&target)) {
                todo.push_back(met.len());
                met.push((target, place, number + 1, depth + 1));
            }
        }
    }
    Err(if limited { ViewProblem::NotFound(met.len()) } else { ViewProblem::NoWay(met.len()) })
}
