//! Whether a configuration can be reached: a run that gets there, with concrete values, or a reachability predicate
//! that keeps away from it.
//!
//! The search goes backwards, by pre-images: `near(k)` of a state says for which values of the variables a bad
//! configuration is `k` steps away, and no fewer. When there are none any more, what is in none of these holds in all
//! configurations that can be reached, unless the initial ones are in one: then there is a run.

use rustc_hash::FxHashMap;

use super::{Change, Facts, Prover, Step, StepId, System, Valuation};
use crate::algebra::{TermId, VarId, conjunction};
use crate::automaton::StateId;
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::outcome::Reason;
use crate::smt::Answer;

/// Steps that lead from the beginning to a state.
#[derive(Clone, Debug)]
pub struct SymbolicRun {
    /// The steps, with values, and what each changes.
    pub steps: Vec<(Step, Vec<Change>)>,
    /// Where they lead.
    pub last: StateId,
    /// The values that variables without an initial value begin with.
    pub begun: Vec<(VarId, TermId)>,
    /// Values of symbolic constants and uninterpreted functions.
    pub given: Vec<(TermId, TermId)>,
    /// What is known there.
    pub(crate) position: Valuation,
}

/// What was found out about bad configurations.
#[derive(Debug)]
pub enum Reached {
    /// None can be reached: for each state, what holds there, and keeps them away.
    Never(IndexVec<StateId, TermId>),
    /// One is reached by a run.
    By(SymbolicRun),
    /// It is not known, and why.
    Unknown(Reason),
}

/// What has to hold of a predicate for it to be a reachability predicate that keeps away from what is bad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// It holds at first.
    First,
    /// A step of a state keeps it.
    Kept(StateId, StepId),
    /// What is bad in a state does not meet it.
    Away(StateId),
}

/// Rounds before more is found out about what can be reached, and after.
const FEW_ROUNDS: usize = 4;
const MANY_ROUNDS: usize = 400;

/// Whether one of the configurations that are bad, state by state, can be reached. What is found out on the way about what
/// holds in the states is added to the facts. The values of all `variables` are chosen for a run, those of others as well
/// as those of the system.
pub fn reaches<'a>(
    system: &System<'a>,
    prover: &mut Prover<'a>,
    facts: &mut Facts,
    variables: &[VarId],
    bad: &IndexVec<StateId, TermId>,
) -> Reached {
    reaches_within((system, prover), facts, variables, bad, MANY_ROUNDS)
}

/// The same, as far as so many steps tell, or what is found out about the states.
pub fn reaches_within<'a>(
    (system, prover): (&System<'a>, &mut Prover<'a>),
    facts: &mut Facts,
    variables: &[VarId],
    bad: &IndexVec<StateId, TermId>,
    rounds: usize,
) -> Reached {
    let few = rounds.min(FEW_ROUNDS);
    let first = Search { system, prover: &mut *prover, facts, variables }.backwards(bad, few);
    if !matches!(first, Reached::Unknown(_)) || is_spent() {
        return first;
    }
    facts.infer(system, prover);
    let known = facts.conditions(&mut prover.terms);
    let away =
        known.iter().zip(bad).all(|(&fact, &bad)| prover.check(&[fact, bad]) == Answer::Unsat);
    if away {
        return Reached::Never(known);
    }
    Search { system, prover, facts, variables }.backwards(bad, rounds)
}

/// What has to hold for a predicate to keep away from what is bad; each must have no solution.
pub fn duties(
    system: &System<'_>,
    prover: &mut Prover<'_>,
    predicate: &IndexVec<StateId, TermId>,
    bad: &IndexVec<StateId, TermId>,
) -> Vec<(Duty, Vec<TermId>)> {
    let terms = &mut prover.terms;
    let initial: FxHashMap<VarId, TermId> = system.initial_values().collect();
    let at_first = terms.substitute(predicate[StateId::FIRST], &initial);
    let mut all = vec![(Duty::First, vec![terms.not(at_first)])];
    for (state, &here) in predicate.enumerated() {
        for (place, step) in system.steps[state].enumerated() {
            let then = terms.substitute(predicate[step.target], &step.updates);
            let broken = terms.not(then);
            let kept = Duty::Kept(state, place);
            all.push((kept, vec![here, step.guard, broken]));
        }
        all.push((Duty::Away(state), vec![here, bad[state]]));
    }
    all
}

/// A search from bad configurations backwards.
struct Search<'s, 'p, 'a> {
    system: &'s System<'a>,
    prover: &'p mut Prover<'a>,
    facts: &'p Facts,
    variables: &'p [VarId],
}

impl<'s> Search<'s, '_, '_> {
    fn backwards(&mut self, bad: &IndexVec<StateId, TermId>, rounds: usize) -> Reached {
        let initial: FxHashMap<VarId, TermId> = self.system.initial_values().collect();
        let states = self.system.steps.len();
        let no = self.prover.terms.bool(false);
        // What is exactly so many steps away, and all that is not farther.
        let mut near: Vec<IndexVec<StateId, TermId>> = vec![bad.clone()];
        let mut all = bad.clone();
        for round in 0..=rounds {
            let now = &near[round];
            let at_first = self.prover.terms.substitute(now[StateId::FIRST], &initial);
            match self.prover.check(&[at_first]) {
                Answer::Sat => {
                    return self
                        .run_through(&near)
                        .map_or_else(|| Reached::Unknown(Reason::NoRun), Reached::By);
                }
                Answer::Unsat => {}
                Answer::Unknown(why) => return Reached::Unknown(Reason::solver(why)),
            }
            let mut next: IndexVec<StateId, TermId> = IndexVec::of(states, no);
            for state in self.system.steps.ids() {
                if is_spent() {
                    return Reached::Unknown(Reason::Stopped);
                }
                match self.nearer(state, now, all[state]) {
                    Ok(None) => {}
                    Ok(Some(more)) => next[state] = more,
                    Err(why) => return Reached::Unknown(why),
                }
                self.prover.searching(&format!("round {} of {states} states", round + 1));
            }
            if next.iter().all(|&more| more == no) {
                return Reached::Never(self.kept_away(&all));
            }
            for (all, &more) in all.iter_mut().zip(&next) {
                *all = self.prover.terms.or([*all, more]);
            }
            near.push(next);
        }
        Reached::Unknown(Reason::NotSettled { steps: rounds })
    }

    /// What holds where nothing bad is near.
    fn kept_away(&mut self, all: &IndexVec<StateId, TermId>) -> IndexVec<StateId, TermId> {
        let no = self.prover.terms.bool(false);
        let terms = &mut self.prover.terms;
        let kept = all.enumerated().map(|(state, &near)| {
            let mut parts = self.facts[state].clone();
            parts.push(terms.not(near));
            conjunction(terms, parts).map_or(no, |parts| terms.and(parts))
        });
        kept.collect()
    }

    /// From where one step leads near, if that is not known to be near already.
    fn nearer(
        &mut self,
        state: StateId,
        near: &IndexVec<StateId, TermId>,
        known: TermId,
    ) -> Result<Option<TermId>, Reason> {
        let mut found = Vec::new();
        for step in &self.system.steps[state] {
            let then = self.prover.terms.substitute(near[step.target], &step.updates);
            let Some(parts) = conjunction(&mut self.prover.terms, vec![step.guard, then]) else {
                continue;
            };
            let more = self.prover.exists(&step.locals, parts);
            let mut question = self.facts[state].clone();
            question.push(self.prover.terms.not(known));
            question.push(more);
            match self.prover.none_holds(&question) {
                Answer::Unsat => {}
                Answer::Sat => found.push(more),
                Answer::Unknown(why) => return Err(Reason::solver(why)),
            }
        }
        Ok((!found.is_empty()).then(|| self.prover.terms.or(found)))
    }

    /// A run that gets nearer with each step; each step is put to the solver again with the values so far.
    fn run_through(&mut self, near: &[IndexVec<StateId, TermId>]) -> Option<SymbolicRun> {
        let values = self.system.initial_values().collect();
        let variables = self.variables.to_vec();
        let mut position = Valuation { values, facts: Vec::new(), variables };
        let (mut at, mut steps) = (StateId::FIRST, Vec::new());
        let open = self.system.free_at_first();
        let first = [near.last()?[at]];
        let values = self.prover.values_for(&position, &first, &open)?;
        self.prover.take(&mut position, values);
        self.prover.remember(&mut position, &first);
        let begun = position.values.clone();
        let mut left = near.len() - 1;
        loop {
            if self.prover.asked(near[0][at], &position) == Answer::Sat {
                self.prover.remember(&mut position, &[near[0][at]]);
                let about = (self.system, &mut *self.prover);
                return Some(settled_run(about, begun, &steps, at, position));
            }
            left = left.checked_sub(1)?;
            let (step, made) = self.one_step(at, &near[left], &mut position)?;
            at = made.target;
            position.values.extend(made.updates.iter().map(|(&var, &value)| (var, value)));
            let renamed = position.forget(&mut self.prover.terms, step.locals.iter());
            steps.push(self.prover.with_values(&made, &renamed));
        }
    }

    fn one_step(
        &mut self,
        state: StateId,
        near: &IndexVec<StateId, TermId>,
        position: &mut Valuation,
    ) -> Option<(&'s Step, Step)> {
        for step in &self.system.steps[state] {
            let then = self.prover.terms.substitute(near[step.target], &step.updates);
            let parts = [step.guard, then];
            let Some(values) = self.prover.values_for(position, &parts, &step.locals) else {
                continue;
            };
            self.prover.take(position, values);
            self.prover.remember(position, &parts);
            let made = self.prover.with_values(step, &position.values);
            return Some((step, made));
        }
        None
    }
}

/// A run with values of all that it is about.
pub(crate) fn settled_run<'a>(
    (system, prover): (&System<'a>, &mut Prover<'a>),
    begun: FxHashMap<VarId, TermId>,
    steps: &[Step],
    last: StateId,
    mut position: Valuation,
) -> SymbolicRun {
    let mut shown: Vec<TermId> = begun.values().copied().collect();
    shown.extend(steps.iter().flat_map(Step::terms));
    shown.sort_unstable();
    let settled = prover.settle(&position.facts, &shown);
    let mut values: FxHashMap<VarId, TermId> = FxHashMap::default();
    for (var, value) in begun {
        values.insert(var, prover.put(&settled, value));
    }
    let begun = system.variables.iter().filter(|v| v.initial.is_none());
    let begun = begun.filter_map(|v| Some((v.var, *values.get(&v.var)?))).collect();
    let mut told = Vec::with_capacity(steps.len());
    for step in steps {
        let step = prover.put_step(&settled, step);
        let changes = prover.changes(&step, &position.variables, &values);
        values.extend(changes.iter().map(|change| (change.var, change.after)));
        told.push((step, changes));
    }
    for value in position.values.values_mut() {
        *value = prover.put(&settled, *value);
    }
    for &(what, value) in &settled.given {
        position.facts.push(prover.terms.equal(what, value));
    }
    SymbolicRun { steps: told, last, begun, given: settled.given, position }
}
