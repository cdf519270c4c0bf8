//! Whether a configuration can be reached: a run that gets there, with concrete values, or a reachability predicate
//! that keeps away from it.
//!
//! `near(k)` of a state says for which values of the variables a bad configuration is `k` steps away, and no fewer.
//! When there are none any more, what is in none of these holds in all configurations that can be reached, unless the
//! initial ones are in one: then there is a run.

use rustc_hash::FxHashMap;

use super::position::Position;
use super::settle::Change;
use super::world::{SideId, Step, World};
use crate::algebra::conjunction;
use crate::algebra::{TermId, VarId};
use crate::base::budget::is_spent;
use crate::outcome::Reason;
use crate::smt::Answer;

/// Steps that lead from the beginning to a state.
#[derive(Clone, Debug)]
pub struct Run {
    /// The steps, with values, and what each changes.
    pub steps: Vec<(Step, Vec<Change>)>,
    /// Where they lead.
    pub last: usize,
    /// The values that variables without an initial value begin with.
    pub begun: Vec<(VarId, TermId)>,
    /// Values of symbolic constants and uninterpreted functions.
    pub given: Vec<(TermId, TermId)>,
    /// What is known there.
    position: Position,
}

/// What was found out about bad configurations.
#[derive(Debug)]
pub enum Reached {
    /// None can be reached: for each state, what holds there, and keeps them away.
    Never(Vec<TermId>),
    /// One is reached by a run.
    By(Run),
    /// It is not known, and why.
    Unknown(Reason),
}

/// What has to hold of a predicate for it to be a reachability predicate that keeps away from what is bad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// It holds at first.
    First,
    /// A step of a state, by its place, keeps it.
    Kept(usize, usize),
    /// What is bad in a state does not meet it.
    Away(usize),
}

/// Rounds before more is found out about what can be reached, and after.
const FEW_ROUNDS: usize = 4;
const MANY_ROUNDS: usize = 400;

impl World<'_> {
    /// Whether one of the configurations that are bad, state by state, can be reached on the left side.
    pub fn reaches(&mut self, bad: &[TermId]) -> Reached {
        let first = self.backwards(bad, FEW_ROUNDS);
        if !matches!(first, Reached::Unknown(_)) || is_spent() {
            return first;
        }
        self.infer(0);
        let facts: Vec<TermId> =
            self.sides[0].facts.clone().into_iter().map(|facts| self.terms.and(facts)).collect();
        let away =
            facts.iter().zip(bad).all(|(&fact, &bad)| self.check(&[fact, bad]) == Answer::Unsat);
        if away {
            return Reached::Never(facts);
        }
        self.backwards(bad, MANY_ROUNDS)
    }

    fn backwards(&mut self, bad: &[TermId], rounds: usize) -> Reached {
        let initial = self.initial_values();
        let states = self.sides[0].steps.len();
        let no = self.terms.bool(false);
        // What is exactly so many steps away, and all that is not farther.
        let mut near: Vec<Vec<TermId>> = vec![bad.to_vec()];
        let mut all: Vec<TermId> = bad.to_vec();
        for round in 0..=rounds {
            let now = near[round].clone();
            let at_first = self.terms.substitute(now[0], &initial);
            match self.check(&[at_first]) {
                Answer::Sat => {
                    return self
                        .run_through(&near)
                        .map_or_else(|| Reached::Unknown(Reason::NoRun), Reached::By);
                }
                Answer::Unsat => {}
                Answer::Unknown(why) => return Reached::Unknown(Reason::solver(why)),
            }
            let mut next = vec![no; states];
            for (state, next) in next.iter_mut().enumerate() {
                if is_spent() {
                    return Reached::Unknown(Reason::Stopped);
                }
                match self.nearer(state, &now, all[state]) {
                    Ok(None) => {}
                    Ok(Some(more)) => *next = more,
                    Err(why) => return Reached::Unknown(why),
                }
                self.searching(&format!("round {} of {states} states", round + 1));
            }
            if next.iter().all(|&more| more == no) {
                let mut kept = Vec::with_capacity(states);
                for (state, &near) in all.iter().enumerate() {
                    let mut parts = self.sides[0].facts[state].clone();
                    parts.push(self.terms.not(near));
                    let parts = conjunction(&mut self.terms, parts);
                    kept.push(parts.map_or(no, |parts| self.terms.and(parts)));
                }
                return Reached::Never(kept);
            }
            for (all, &more) in all.iter_mut().zip(&next) {
                *all = self.terms.or([*all, more]);
            }
            near.push(next);
        }
        Reached::Unknown(Reason::NotSettled { steps: rounds })
    }

    /// From where one step leads near, if that is not known to be near already.
    fn nearer(
        &mut self,
        state: usize,
        near: &[TermId],
        known: TermId,
    ) -> Result<Option<TermId>, Reason> {
        let mut found = Vec::new();
        for step in self.sides[0].steps[state].clone() {
            let then = self.terms.substitute(near[step.target], &step.updates);
            let Some(parts) = conjunction(&mut self.terms, vec![step.guard, then]) else {
                continue;
            };
            let more = self.exists(&step.locals, parts);
            let mut question = self.sides[0].facts[state].clone();
            question.push(self.terms.not(known));
            question.push(more);
            match self.none_holds(&question) {
                Answer::Unsat => {}
                Answer::Sat => found.push(more),
                Answer::Unknown(why) => return Err(Reason::solver(why)),
            }
        }
        Ok((!found.is_empty()).then(|| self.terms.or(found)))
    }

    /// A run that gets nearer with each step; each step is put to the solver again with the values so far.
    fn run_through(&mut self, near: &[Vec<TermId>]) -> Option<Run> {
        let mut position = Position { values: self.initial_values(), facts: Vec::new() };
        let (mut at, mut steps) = (0, Vec::new());
        let open = self.free_at_first(SideId::Left);
        let first = [near.last()?[0]];
        let values = self.values_for(&position, &first, &open)?;
        self.take(&mut position, values);
        self.remember(&mut position, &first);
        let begun = position.values.clone();
        let mut left = near.len() - 1;
        loop {
            if self.asked(near[0][at], &position) == Answer::Sat {
                self.remember(&mut position, &[near[0][at]]);
                return Some(self.settled_run(begun, &steps, at, position));
            }
            left = left.checked_sub(1)?;
            let (step, made) = self.one_step(at, &near[left], &mut position)?;
            at = made.target;
            position.values.extend(made.updates.iter().map(|(&var, &value)| (var, value)));
            let renamed = position.forget(&mut self.terms, step.locals.iter());
            steps.push(self.with_values(&made, &renamed));
        }
    }

    /// A run with values of all that it is about.
    fn settled_run(
        &mut self,
        begun: FxHashMap<VarId, TermId>,
        steps: &[Step],
        last: usize,
        mut position: Position,
    ) -> Run {
        let mut shown: Vec<TermId> = begun.values().copied().collect();
        shown.extend(steps.iter().flat_map(Step::terms));
        shown.sort_unstable();
        let settled = self.settle(&position.facts, &shown);
        let mut values: FxHashMap<VarId, TermId> = FxHashMap::default();
        for (var, value) in begun {
            values.insert(var, self.put(&settled, value));
        }
        let begun = self.sides[0].variables.iter().filter(|v| v.initial.is_none());
        let begun = begun.filter_map(|v| Some((v.var, *values.get(&v.var)?))).collect();
        let mut told = Vec::with_capacity(steps.len());
        for step in steps {
            let step = self.put_step(&settled, step);
            let changes = self.changes(&step, &values);
            values.extend(changes.iter().map(|change| (change.var, change.after)));
            told.push((step, changes));
        }
        for value in position.values.values_mut() {
            *value = self.put(&settled, *value);
        }
        for &(what, value) in &settled.given {
            position.facts.push(self.terms.equal(what, value));
        }
        Run { steps: told, last, begun, given: settled.given, position }
    }

    fn one_step(
        &mut self,
        state: usize,
        near: &[TermId],
        position: &mut Position,
    ) -> Option<(Step, Step)> {
        for step in self.sides[0].steps[state].clone() {
            let then = self.terms.substitute(near[step.target], &step.updates);
            let parts = [step.guard, then];
            let Some(values) = self.values_for(position, &parts, &step.locals) else { continue };
            self.take(position, values);
            self.remember(position, &parts);
            let made = self.with_values(&step, &position.values);
            return Some((step, made));
        }
        None
    }

    /// What has to hold for a predicate to keep away from what is bad; each must have no solution.
    pub fn duties(&mut self, predicate: &[TermId], bad: &[TermId]) -> Vec<(Duty, Vec<TermId>)> {
        let initial = self.initial_values();
        let at_first = self.terms.substitute(predicate[0], &initial);
        let mut all = vec![(Duty::First, vec![self.terms.not(at_first)])];
        for (state, &here) in predicate.iter().enumerate() {
            for (place, step) in self.sides[0].steps[state].clone().iter().enumerate() {
                let then = self.terms.substitute(predicate[step.target], &step.updates);
                let broken = self.terms.not(then);
                all.push((Duty::Kept(state, place), vec![here, step.guard, broken]));
            }
            all.push((Duty::Away(state), vec![here, bad[state]]));
        }
        all
    }

    /// What the right side can do in a state, with values, where a run of the left one has led; variables of the same
    /// path have the same values.
    pub fn offered(&mut self, run: &Run, state: usize) -> Option<(Step, Vec<Change>)> {
        let same = self.namesakes();
        for step in self.sides[1].steps[state].clone() {
            let step = self.with_values(&step, &same);
            if let Some(values) = self.values_for(&run.position, &[step.guard], &step.locals) {
                let mut position = run.position.clone();
                self.take(&mut position, values);
                let made = self.with_values(&step, &position.values);
                self.remember(&mut position, &[step.guard]);
                let settled = self.settle(&position.facts, &made.terms());
                let made = self.put_step(&settled, &made);
                let changes = self.changes(&made, &position.values);
                return Some((made, changes));
            }
        }
        None
    }

    /// When a side can do a step in a state.
    pub fn can_move(&mut self, side: SideId, state: usize) -> TermId {
        let steps = self.side(side).steps[state].clone();
        let moves: Vec<TermId> =
            steps.iter().map(|step| self.exists(&step.locals, vec![step.guard])).collect();
        self.terms.or(moves)
    }

    /// Whether all of some conditions that must not hold together do not.
    pub fn none_holds(&mut self, conditions: &[TermId]) -> Answer {
        let no = self.terms.bool(false);
        if conditions.contains(&no) { Answer::Unsat } else { self.check(conditions) }
    }

    /// What a variable of one side is called on the other: the same path.
    pub fn namesakes(&self) -> FxHashMap<crate::algebra::VarId, TermId> {
        let [first, second] = &self.sides;
        let mut same = FxHashMap::default();
        for variable in &second.variables {
            if let Some(other) = first.variables.iter().find(|other| other.path == variable.path) {
                same.insert(variable.var, self.terms.var_term(other.var));
            }
        }
        same
    }
}
