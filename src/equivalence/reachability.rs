//! Reachability predicates: what holds of the variables in each state whenever it is reached (Definition 7 of the
//! SEFM paper). Any such predicate will do, and one that says more proves more.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::world::{Step, World};
use crate::algebra::{Sort, Term, TermId, Terms, VarId};
use crate::automaton::StateVariable;
use crate::base::budget::is_spent;
use crate::generate::reach::{Flow, Initial, sources};
use crate::smt::Answer;

/// More conditions than this are not tried.
const MOST_ATOMS: usize = 150;

/// For each state, that variables have one of the values that were assigned to them, where all of these are fixed.
pub(super) fn fixed_values(
    terms: &mut Terms,
    variables: &[StateVariable],
    steps: &[Vec<Step>],
) -> Vec<Vec<TermId>> {
    let initial: Initial = variables.iter().map(|v| (v.var, v.initial)).collect();
    let all: Vec<VarId> = variables.iter().map(|v| v.var).collect();
    let updates: Vec<(&Step, Vec<(VarId, TermId)>)> = steps
        .iter()
        .flatten()
        .map(|step| (step, step.updates.iter().map(|(&var, &value)| (var, value)).collect()))
        .collect();
    let flows: Vec<Flow<'_>> = updates
        .iter()
        .map(|(step, updates)| Flow { source: step.source, target: step.target, updates })
        .collect();
    let assigned = sources(&initial, &flows, &all);
    let mut facts: Vec<Vec<TermId>> = vec![Vec::new(); steps.len()];
    for (state, known) in facts.iter_mut().enumerate() {
        for &var in &all {
            let Some(values) = assigned.get(&(state, var)) else { continue };
            let fixed: Option<Vec<TermId>> = values
                .iter()
                .map(|value| value.filter(|&value| terms.free_vars(value).is_empty()))
                .collect();
            let Some(fixed) = fixed else { continue };
            let this = terms.var_term(var);
            let one: Vec<TermId> =
                fixed.into_iter().map(|value| terms.equal(this, value)).collect();
            known.push(terms.or(one));
        }
    }
    facts
}

impl World<'_> {
    /// Finds out more of what holds in the states of one side: of conditions that may hold always, those are kept
    /// that hold at first and survive every step. What was known before is kept, and used.
    pub fn infer(&mut self, side: usize) {
        let atoms = self.likely_atoms(side);
        let initial: FxHashMap<VarId, TermId> = self.initial_values();
        let now: Vec<(TermId, TermId)> =
            atoms.iter().map(|&atom| (atom, self.terms.substitute(atom, &initial))).collect();
        let Some(at_first) = self.that_follow(&[], now) else { return };
        let states = self.sides[side].steps.len();
        let mut kept: Vec<Option<Vec<TermId>>> = vec![None; states];
        kept[0] = Some(at_first);
        let mut work = vec![0];
        while let Some(state) = work.pop() {
            let Some(here) = kept[state].clone() else { continue };
            for step in self.sides[side].steps[state].clone() {
                if is_spent() {
                    return;
                }
                self.searching("reachability predicates");
                let mut before = self.sides[side].facts[state].clone();
                before.extend(&here);
                before.push(step.guard);
                let there = kept[step.target].clone();
                let wanted = there.as_ref().unwrap_or(&atoms);
                let after: Vec<(TermId, TermId)> = wanted
                    .iter()
                    .map(|&atom| (atom, self.terms.substitute(atom, &step.updates)))
                    .collect();
                let Some(left) = self.that_follow(&before, after) else { continue };
                if there.as_ref().is_none_or(|there| left.len() < there.len()) {
                    kept[step.target] = Some(left);
                    work.push(step.target);
                }
            }
        }
        let no = self.terms.bool(false);
        for (facts, kept) in self.sides[side].facts.iter_mut().zip(kept) {
            // Where no step leads nothing holds: what holds elsewhere was not asked to survive the steps from there.
            let kept = kept.unwrap_or_else(|| vec![no]);
            let new: Vec<TermId> = kept.into_iter().filter(|atom| !facts.contains(atom)).collect();
            facts.extend(new);
        }
    }

    /// Of conditions, given with what they come to, those that follow from others; nothing when the others
    /// contradict each other. Each model that the solver finds takes away all conditions that it does not meet.
    pub(super) fn that_follow(
        &mut self,
        known: &[TermId],
        mut wanted: Vec<(TermId, TermId)>,
    ) -> Option<Vec<TermId>> {
        if self.check(known) == Answer::Unsat {
            return None;
        }
        loop {
            let all: Vec<TermId> = wanted.iter().map(|&(_, now)| now).collect();
            let all = self.terms.and(all);
            let not = self.terms.not(all);
            let mut question = known.to_vec();
            question.push(not);
            let before = wanted.len();
            let mut vars: Vec<VarId> = Vec::new();
            for &part in &question {
                vars.extend(self.terms.free_vars(part));
            }
            vars.sort_unstable();
            vars.dedup();
            let found = match self.terms.as_bool(not) {
                Some(false) => Err(Answer::Unsat),
                _ => self.model(&question, &vars),
            };
            match found {
                Ok(values) => wanted.retain(|&(_, now)| {
                    let value = self.terms.substitute(now, &values);
                    self.terms.as_bool(value) != Some(false)
                }),
                Err(Answer::Unsat) => {
                    return Some(wanted.into_iter().map(|(atom, _)| atom).collect());
                }
                Err(_) => {}
            }
            if wanted.len() < before {
                continue;
            }
            // The solver does not know, or its values cannot be written down: one by one.
            let mut left = Vec::with_capacity(wanted.len());
            for (atom, now) in wanted {
                let mut question = known.to_vec();
                question.push(self.terms.not(now));
                if self.check(&question) == Answer::Unsat {
                    left.push(atom);
                }
            }
            return Some(left);
        }
    }

    /// Conditions that may hold in states of one side: bounds of numbers, variables that are alike, and the parts of
    /// guards.
    fn likely_atoms(&mut self, side: usize) -> Vec<TermId> {
        let steps: Vec<Step> = self.sides[side].steps.iter().flatten().cloned().collect();
        let variables: Vec<(VarId, Option<TermId>)> =
            self.sides[side].variables.iter().map(|v| (v.var, v.initial)).collect();
        let numbers = self.numbers(&steps, &variables);
        let mut all = Vec::new();
        for &(x, initial) in &variables {
            let this = self.terms.var_term(x);
            all.extend(initial.map(|initial| self.terms.equal(this, initial)));
            if alike(&self.terms.var(x).sort, &Sort::Int) {
                for &number in &numbers {
                    all.push(self.terms.less_equal(this, number));
                    all.push(self.terms.less_equal(number, this));
                }
            }
        }
        for (at, &(x, _)) in variables.iter().enumerate() {
            for &(y, _) in &variables[at + 1..] {
                let (a, b) = (self.terms.var(x).sort.clone(), self.terms.var(y).sort.clone());
                if !alike(&a, &b) {
                    continue;
                }
                let (x, y) = (self.terms.var_term(x), self.terms.var_term(y));
                all.push(self.terms.equal(x, y));
                if alike(&a, &Sort::Int) {
                    all.push(self.terms.less_equal(x, y));
                    all.push(self.terms.less_equal(y, x));
                }
            }
        }
        for step in &steps {
            all.extend(self.guard_atoms(step));
        }
        let mut seen = FxHashSet::default();
        all.retain(|&atom| self.terms.as_bool(atom).is_none() && seen.insert(atom));
        all.truncate(MOST_ATOMS);
        all
    }

    /// The numbers and constants that steps speak of, and those that variables begin with.
    fn numbers(&self, steps: &[Step], variables: &[(VarId, Option<TermId>)]) -> Vec<TermId> {
        let mut found: BTreeSet<TermId> = BTreeSet::new();
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut work: Vec<TermId> = variables.iter().filter_map(|(_, initial)| *initial).collect();
        for step in steps {
            work.push(step.guard);
            work.extend(step.updates.values());
        }
        while let Some(term) = work.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.terms.get(term) {
                Term::Int(_) => {
                    found.insert(term);
                }
                Term::Const(id) => {
                    let sort = &self.algebra.constants[id.0 as usize].sort;
                    if alike(sort, &Sort::Int) {
                        found.insert(term);
                    }
                }
                other => other.each_inside(|inner| work.push(inner)),
            }
        }
        found.into_iter().collect()
    }

    /// The parts of a guard that speak of the state alone, and their opposites.
    pub(super) fn guard_atoms(&mut self, step: &Step) -> Vec<TermId> {
        let parts = match self.terms.get(step.guard).clone() {
            Term::And(parts) => parts.to_vec(),
            _ => vec![step.guard],
        };
        let mut found = Vec::new();
        for part in parts {
            let free = self.terms.free_vars(part);
            if !free.is_empty() && free.iter().all(|var| !step.locals.contains(var)) {
                let not = self.terms.not(part);
                found.extend([part, not]);
            }
        }
        found
    }
}

/// Whether values of two sorts can be compared.
pub(super) fn alike(a: &Sort, b: &Sort) -> bool {
    let number = |sort: &Sort| matches!(sort, Sort::Int | Sort::Range(..));
    a == b || (number(a) && number(b))
}
