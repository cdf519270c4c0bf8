//! What holds of the variables in each state whenever it is reached: a reachability predicate (Ameur-Boulifa et al.,
//! SEFM, Definition 7). Any such predicate will do, and one that says more proves more.

use std::collections::BTreeSet;
use std::ops::Index;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Prover, Step, System};
use crate::algebra::{Algebra, Sort, Term, TermId, Terms, VarId};
use crate::automaton::StateId;
use crate::automaton::definitions::{Flow, Initial, sources};
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::smt::Answer;

/// More conditions than this are not tried.
const MOST_ATOMS: usize = 150;

/// For each state, conditions that hold whenever it is reached.
#[derive(Clone, Debug)]
pub struct Facts(IndexVec<StateId, Vec<TermId>>);

impl Index<StateId> for Facts {
    type Output = Vec<TermId>;

    fn index(&self, state: StateId) -> &Vec<TermId> {
        &self.0[state]
    }
}

impl Facts {
    /// That variables have one of the values that were assigned to them, where all of these are fixed.
    pub fn fixed(system: &System<'_>, terms: &mut Terms) -> Facts {
        let initial: Initial = system.variables.iter().map(|v| (v.var, v.initial)).collect();
        let all: Vec<VarId> = system.variables.iter().map(|v| v.var).collect();
        let updates: Vec<(&Step, Vec<(VarId, TermId)>)> =
            system.all_steps().map(|step| (step, step.ordered_updates())).collect();
        let flows: Vec<Flow<'_>> = updates
            .iter()
            .map(|(step, updates)| Flow { source: step.source, target: step.target, updates })
            .collect();
        let assigned = sources(&initial, &flows, &all);
        let mut facts = IndexVec::of(system.steps.len(), Vec::new());
        for state in system.steps.ids() {
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
                facts[state].push(terms.or(one));
            }
        }
        Facts(facts)
    }

    /// What somebody says is known in each state. That it is so is for others to see to.
    pub fn given(conditions: &IndexVec<StateId, TermId>) -> Facts {
        Facts(conditions.iter().map(|&condition| vec![condition]).collect())
    }

    /// Finds out more (Houdini: Flanagan and Leino, FME 2001): of conditions that may hold always, those are kept that
    /// hold at first and survive every step. What was known before is kept, and used.
    pub fn infer(&mut self, system: &System<'_>, prover: &mut Prover<'_>) {
        let atoms = likely_atoms(system, prover);
        let initial: FxHashMap<VarId, TermId> = system.initial_values().collect();
        let now: Vec<(TermId, TermId)> =
            atoms.iter().map(|&atom| (atom, prover.terms.substitute(atom, &initial))).collect();
        let Some(at_first) = prover.that_follow(&[], now) else { return };
        let mut kept: IndexVec<StateId, Option<Vec<TermId>>> =
            IndexVec::of(system.steps.len(), None);
        kept[StateId::FIRST] = Some(at_first);
        let mut work = vec![StateId::FIRST];
        while let Some(state) = work.pop() {
            let Some(here) = kept[state].clone() else { continue };
            for step in &system.steps[state] {
                if is_spent() {
                    return;
                }
                prover.searching("reachability predicates");
                let mut before = self[state].clone();
                before.extend(&here);
                before.push(step.guard);
                let there = &kept[step.target];
                let wanted = there.as_ref().unwrap_or(&atoms);
                let after: Vec<(TermId, TermId)> = wanted
                    .iter()
                    .map(|&atom| (atom, prover.terms.substitute(atom, &step.updates)))
                    .collect();
                let Some(left) = prover.that_follow(&before, after) else { continue };
                if there.as_ref().is_none_or(|there| left.len() < there.len()) {
                    kept[step.target] = Some(left);
                    work.push(step.target);
                }
            }
        }
        let no = prover.terms.bool(false);
        for (facts, kept) in self.0.iter_mut().zip(kept) {
            // Where no step leads nothing holds: what holds elsewhere was not asked to survive the steps from there.
            let kept = kept.unwrap_or_else(|| vec![no]);
            let new: Vec<TermId> = kept.into_iter().filter(|atom| !facts.contains(atom)).collect();
            facts.extend(new);
        }
    }

    /// What is known in each state, as one condition.
    pub fn conditions(&self, terms: &mut Terms) -> IndexVec<StateId, TermId> {
        self.0.iter().map(|facts| terms.and(facts.iter().copied())).collect()
    }
}

impl Prover<'_> {
    /// Of conditions, given with what they come to, those that follow from others; nothing when the others
    /// contradict each other. Each model that the solver finds takes away all conditions that it does not meet.
    pub(crate) fn that_follow(
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
}

/// Conditions that may hold in states: bounds of numbers, variables that are alike, and the parts of guards.
fn likely_atoms(system: &System<'_>, prover: &mut Prover<'_>) -> Vec<TermId> {
    let variables: Vec<(VarId, Option<TermId>)> =
        system.variables.iter().map(|v| (v.var, v.initial)).collect();
    let numbers = numbers(system, prover.algebra, &prover.terms);
    let terms = &mut prover.terms;
    let mut all = Vec::new();
    for &(x, initial) in &variables {
        let this = terms.var_term(x);
        all.extend(initial.map(|initial| terms.equal(this, initial)));
        if alike(&terms.var(x).sort, &Sort::Int) {
            for &number in &numbers {
                all.push(terms.less_equal(this, number));
                all.push(terms.less_equal(number, this));
            }
        }
    }
    for (at, &(x, _)) in variables.iter().enumerate() {
        for &(y, _) in &variables[at + 1..] {
            let (a, b) = (terms.var(x).sort.clone(), terms.var(y).sort.clone());
            if !alike(&a, &b) {
                continue;
            }
            let (x, y) = (terms.var_term(x), terms.var_term(y));
            all.push(terms.equal(x, y));
            if alike(&a, &Sort::Int) {
                all.push(terms.less_equal(x, y));
                all.push(terms.less_equal(y, x));
            }
        }
    }
    for step in system.all_steps() {
        all.extend(guard_atoms(terms, step));
    }
    let mut seen = FxHashSet::default();
    all.retain(|&atom| terms.as_bool(atom).is_none() && seen.insert(atom));
    all.truncate(MOST_ATOMS);
    all
}

/// The numbers and constants that steps speak of, and those that variables begin with.
fn numbers(system: &System<'_>, algebra: &Algebra, terms: &Terms) -> Vec<TermId> {
    let mut roots: Vec<TermId> = system.initial_values().map(|(_, initial)| initial).collect();
    for step in system.all_steps() {
        roots.push(step.guard);
        roots.extend(step.updates.values());
    }
    let is_number = |id: &TermId| match terms.get(*id) {
        Term::Int(_) => true,
        Term::Const(id) => alike(&algebra.constants[id.index()].sort, &Sort::Int),
        _ => false,
    };
    let found: BTreeSet<TermId> = terms.inside(roots).filter(is_number).collect();
    found.into_iter().collect()
}

/// The parts of a guard that speak of the state alone, and their opposites.
pub(crate) fn guard_atoms(terms: &mut Terms, step: &Step) -> Vec<TermId> {
    let parts = match terms.get(step.guard).clone() {
        Term::And(parts) => parts.to_vec(),
        _ => vec![step.guard],
    };
    let mut found = Vec::new();
    for part in parts {
        let free = terms.free_vars(part);
        if !free.is_empty() && free.iter().all(|var| !step.locals.contains(var)) {
            let not = terms.not(part);
            found.extend([part, not]);
        }
    }
    found
}

/// Whether values of two sorts can be compared.
pub(crate) fn alike(a: &Sort, b: &Sort) -> bool {
    let number = |sort: &Sort| matches!(sort, Sort::Int | Sort::Range(..));
    a == b || (number(a) && number(b))
}
