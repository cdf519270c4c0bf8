//! Weak steps: silent steps before and after a step (Definitions 12 and 13 of the JLAMP paper, rules WT1 to WT3).
//!
//! A weak step that can answer a single step has each hole act visibly at most once, so longer sequences are
//! left out. A silent loop that counts gives a family: it is described with a parameter `n >= 1`, for the number
//! of times it is gone round. Where the silent steps are too tangled for that, the weak steps that were found
//! are still weak steps, but not all of them: then nothing can be refuted.

use rustc_hash::FxHashMap;

use super::simplify::conjunction;
use super::world::{Step, World};
use crate::diagnostics::Symbol;
use crate::pnet::{Sort, Term, TermId, Terms, VarId, VariableKind};

/// The weak steps of one side.
#[derive(Clone, Debug, Default)]
pub struct WeakSteps {
    /// For each state, the silent ones, doing nothing included; what they show does not matter.
    pub silent: Vec<Vec<Step>>,
    /// For each state, those that show something.
    pub visible: Vec<Vec<Step>>,
    /// Whether these are all.
    pub complete: bool,
}

/// More weak steps than this from one state are not followed.
const MOST: usize = 300;

/// That an action is silent.
pub fn silent(terms: &mut Terms, action: TermId) -> TermId {
    let tau = terms.raw(Term::Tau);
    let is_tau = terms.equal(action, tau);
    let is_sync = terms.is_sync(action);
    terms.or([is_tau, is_sync])
}

impl World<'_> {
    /// The weak steps of one of the automata.
    pub fn weak_steps(&mut self, side: usize) -> WeakSteps {
        let states = self.sides[side].steps.len();
        let silent_steps = self.silent_steps(side);
        let mut complete = true;
        self.tangled = false;
        let loops = self.loops(&silent_steps, &mut complete);
        let mut weak = WeakSteps {
            silent: Vec::with_capacity(states),
            visible: Vec::with_capacity(states),
            complete: true,
        };
        for state in 0..states {
            let paths = self.silent_paths(state, &silent_steps, &loops, &mut complete);
            weak.silent.push(paths);
        }
        for state in 0..states {
            let mut all: Vec<Step> = Vec::new();
            for before in weak.silent[state].clone() {
                for step in self.sides[side].steps[before.target].clone() {
                    if matches!(self.terms.get(step.action), Term::Tau | Term::Sync(_)) {
                        continue;
                    }
                    let Some(first) = self.then(&before, &step) else { continue };
                    for after in weak.silent[step.target].clone() {
                        if let Some(whole) = self.then(&first, &after) {
                            all.push(Step { action: first.action, ..whole });
                        }
                    }
                    if all.len() > MOST {
                        complete = false;
                        break;
                    }
                }
            }
            weak.visible.push(all);
        }
        weak.complete = complete && !self.tangled;
        weak
    }

    /// The steps that can be silent, made so; those of holes that change nothing are as good as none.
    fn silent_steps(&mut self, side: usize) -> Vec<Vec<Step>> {
        let steps = self.sides[side].steps.clone();
        let mut found: Vec<Vec<Step>> = vec![Vec::new(); steps.len()];
        for step in steps.into_iter().flatten() {
            let quiet = silent(&mut self.terms, step.action);
            let Some(parts) = conjunction(&mut self.terms, vec![step.guard, quiet]) else {
                continue;
            };
            if self.check(&parts) == crate::smt::Answer::Unsat {
                continue;
            }
            let changes_nothing = step.source == step.target && step.updates.is_empty();
            if changes_nothing && self.holes_are_silent(&step) {
                continue;
            }
            let guard = self.terms.and(parts);
            found[step.source].push(Step { guard, ..step });
        }
        found
    }

    /// Whether, when a step is silent, all its holes are.
    fn holes_are_silent(&mut self, step: &Step) -> bool {
        let quiet = silent(&mut self.terms, step.action);
        step.holes.iter().all(|&(_, action)| {
            let hole = silent(&mut self.terms, action);
            let loud = self.terms.not(hole);
            self.check(&[step.guard, quiet, loud]) == crate::smt::Answer::Unsat
        })
    }

    /// Doing nothing.
    fn idle(&mut self, state: usize) -> Step {
        let (guard, action) = (self.terms.bool(true), self.terms.raw(Term::Tau));
        Step {
            source: state,
            target: state,
            holes: Vec::new(),
            guard,
            action,
            updates: FxHashMap::default(),
            locals: Vec::new(),
        }
    }

    /// One step after another; nothing when that is impossible or a hole would act twice.
    fn then(&mut self, first: &Step, second: &Step) -> Option<Step> {
        let second = self.with_new_locals(second, &first.locals);
        for &(hole, later) in &second.holes {
            if let Some(&(_, earlier)) = first.holes.iter().find(|(other, _)| *other == hole) {
                // A hole that acts twice answers no single step, unless it acts silently once.
                self.tangled |=
                    self.can_be_silent(first, earlier) || self.can_be_silent(&second, later);
                return None;
            }
        }
        let later = |terms: &mut Terms, term: TermId| terms.substitute(term, &first.updates);
        let guard = later(&mut self.terms, second.guard);
        let guard = conjunction(&mut self.terms, vec![first.guard, guard])?;
        let guard = self.terms.and(guard);
        let mut updates = first.updates.clone();
        for (&var, &value) in &second.updates {
            let value = later(&mut self.terms, value);
            updates.insert(var, value);
        }
        let mut holes = first.holes.clone();
        for &(hole, action) in &second.holes {
            holes.push((hole, later(&mut self.terms, action)));
        }
        holes.sort_unstable_by_key(|(hole, _)| *hole);
        let mut locals = first.locals.clone();
        locals.extend(&second.locals);
        let action = later(&mut self.terms, second.action);
        Some(Step {
            source: first.source,
            target: second.target,
            holes,
            guard,
            action,
            updates,
            locals,
        })
    }

    /// Whether a hole can act silently in a step that counts: a step that shows what the hole does counts only where
    /// that is not silent, unless it was made silent before.
    fn can_be_silent(&mut self, step: &Step, action: TermId) -> bool {
        let quiet = silent(&mut self.terms, action);
        let Some(parts) = conjunction(&mut self.terms, vec![step.guard, quiet]) else {
            return false;
        };
        let made_silent = parts.contains(&quiet) && step.guard != self.terms.bool(true) && {
            let loud = self.terms.not(quiet);
            self.check(&[step.guard, loud]) == crate::smt::Answer::Unsat
        };
        if step.action == action && !made_silent {
            return false;
        }
        self.check(&parts) != crate::smt::Answer::Unsat
    }

    /// A step with new variables for those that are taken.
    fn with_new_locals(&mut self, step: &Step, taken: &[VarId]) -> Step {
        if !step.locals.iter().any(|local| taken.contains(local)) {
            return step.clone();
        }
        let mut renamed: FxHashMap<VarId, TermId> = FxHashMap::default();
        let mut locals = Vec::with_capacity(step.locals.len());
        for &local in &step.locals {
            let (name, sort) = (self.terms.var(local).name, self.terms.var(local).sort.clone());
            let kind = self.terms.var(local).kind;
            let new = self.terms.new_var(name, sort, kind);
            renamed.insert(local, self.terms.var_term(new));
            locals.push(new);
        }
        let mut new = |term: TermId| self.terms.substitute(term, &renamed);
        Step {
            holes: step.holes.iter().map(|&(hole, action)| (hole, new(action))).collect(),
            guard: new(step.guard),
            action: new(step.action),
            updates: step.updates.iter().map(|(&var, &value)| (var, new(value))).collect(),
            locals,
            ..step.clone()
        }
    }

    // ---- loops ----

    /// For each state, the silent loops through it, gone round once or more often.
    fn loops(&mut self, steps: &[Vec<Step>], complete: &mut bool) -> Vec<Vec<Step>> {
        let mut loops: Vec<Vec<Step>> = vec![Vec::new(); steps.len()];
        for (state, mine) in loops.iter_mut().enumerate() {
            let cycles = self.cycles(state, steps);
            // With two loops through one state, what they do mixed is not described.
            if cycles.len() > 1 {
                *complete = false;
            }
            for cycle in cycles {
                match self.accelerated(&cycle) {
                    Some(Some(many)) => mine.push(many),
                    // It changes nothing.
                    Some(None) => {}
                    None => {
                        *complete = false;
                        mine.push(cycle);
                    }
                }
            }
        }
        loops
    }

    /// The ways from a state back to it that meet no other state twice.
    fn cycles(&mut self, state: usize, steps: &[Vec<Step>]) -> Vec<Step> {
        let mut found = Vec::new();
        let mut work: Vec<(Step, Vec<usize>)> = vec![(self.idle(state), vec![state])];
        while let Some((path, seen)) = work.pop() {
            for step in &steps[path.target] {
                let Some(longer) = self.then(&path, step) else { continue };
                if step.target == state {
                    found.push(longer);
                } else if !seen.contains(&step.target) && work.len() < MOST {
                    let mut seen = seen.clone();
                    seen.push(step.target);
                    work.push((longer, seen));
                }
            }
        }
        found
    }

    /// A loop gone round `n >= 1` times; the inner nothing says that it changes nothing, the outer one that no
    /// description was found.
    fn accelerated(&mut self, cycle: &Step) -> Option<Option<Step>> {
        if !cycle.holes.is_empty() {
            return None;
        }
        let mut counting: FxHashMap<VarId, TermId> = FxHashMap::default();
        let mut assigned: Vec<(VarId, TermId)> = Vec::new();
        for (&var, &value) in &cycle.updates {
            match self.increment(var, value) {
                Some(step) if self.terms.as_int(step).is_some_and(|n| *n == 0.into()) => {}
                Some(step) => {
                    counting.insert(var, step);
                }
                None => assigned.push((var, value)),
            }
        }
        assigned.sort_unstable();
        if counting.is_empty() && assigned.is_empty() {
            return Some(None);
        }
        let changing = |var: &VarId| {
            counting.contains_key(var) || assigned.iter().any(|(other, _)| other == var)
        };
        // The condition must be the same each time, and what is assigned must not depend on what was.
        let steady = |terms: &Terms, term: TermId, except: &dyn Fn(&VarId) -> bool| {
            let free = terms.free_vars(term);
            free.iter().all(|var| !cycle.locals.contains(var) && (!changing(var) || except(var)))
        };
        let counted = |var: &VarId| counting.contains_key(var);
        if !steady(&self.terms, cycle.guard, &|_| false)
            || !assigned.iter().all(|&(_, value)| steady(&self.terms, value, &counted))
            || counting.values().any(|&step| !steady(&self.terms, step, &|_| false))
        {
            return None;
        }
        let times = self.terms.new_var(Symbol::new("n"), Sort::Int, VariableKind::Vector);
        let n = self.terms.var_term(times);
        let (one, minus_one) = (self.terms.int(1), self.terms.int(-1));
        let before = self.terms.add([n, minus_one]);
        let mut updates: FxHashMap<VarId, TermId> = FxHashMap::default();
        let mut at_last: FxHashMap<VarId, TermId> = FxHashMap::default();
        let mut vars: Vec<VarId> = counting.keys().copied().collect();
        vars.sort_unstable();
        for var in vars {
            let Some(&step) = counting.get(&var) else { continue };
            let this = self.terms.var_term(var);
            let (all, most) = (self.terms.multiply([step, n]), self.terms.multiply([step, before]));
            updates.insert(var, self.terms.add([this, all]));
            at_last.insert(var, self.terms.add([this, most]));
        }
        for (var, value) in assigned {
            let value = self.terms.substitute(value, &at_last);
            updates.insert(var, value);
        }
        let positive = self.terms.less_equal(one, n);
        let guard = self.terms.and([cycle.guard, positive]);
        Some(Some(Step { guard, updates, locals: vec![times], ..cycle.clone() }))
    }

    /// What is added to a variable by an assignment, when that is all it does.
    fn increment(&mut self, var: VarId, value: TermId) -> Option<TermId> {
        let this = self.terms.var_term(var);
        if value == this {
            return Some(self.terms.int(0));
        }
        if !matches!(self.terms.var(var).sort, Sort::Int) {
            return None;
        }
        let Term::Add(parts) = self.terms.get(value).clone() else { return None };
        let rest: Vec<TermId> = parts.iter().copied().filter(|&part| part != this).collect();
        if rest.len() + 1 != parts.len() {
            return None;
        }
        let rest = self.terms.add(rest);
        (!self.terms.free_vars(rest).contains(&var)).then_some(rest)
    }

    /// The silent ways from a state on, loops included.
    fn silent_paths(
        &mut self,
        state: usize,
        steps: &[Vec<Step>],
        loops: &[Vec<Step>],
        complete: &mut bool,
    ) -> Vec<Step> {
        let mut found: Vec<Step> = Vec::new();
        let back = |from: usize, to: usize| reaches(steps, from, to);
        let mut work: Vec<(Step, Vec<usize>)> = vec![(self.idle(state), vec![state])];
        while let Some((path, seen)) = work.pop() {
            if found.len() > MOST {
                *complete = false;
                break;
            }
            let at = path.target;
            let mut here = vec![path];
            // Where a loop can be entered it is gone round; further on it would be the same loop again.
            let entered = !seen[..seen.len() - 1].iter().any(|&before| back(at, before));
            for many in loops[at].iter().filter(|_| entered) {
                if let Some(round) = self.then(&here[0].clone(), many) {
                    here.push(round);
                }
            }
            for path in here {
                for step in &steps[path.target] {
                    if seen.contains(&step.target) {
                        continue;
                    }
                    if let Some(longer) = self.then(&path, step) {
                        let mut seen = seen.clone();
                        seen.push(step.target);
                        work.push((longer, seen));
                    }
                }
                found.push(path);
            }
        }
        found
    }
}

/// Whether a silent way leads from one state to another.
fn reaches(steps: &[Vec<Step>], from: usize, to: usize) -> bool {
    let mut seen = vec![false; steps.len()];
    let mut work = vec![from];
    while let Some(state) = work.pop() {
        if state == to {
            return true;
        }
        if !std::mem::replace(&mut seen[state], true) {
            work.extend(steps[state].iter().map(|step| step.target));
        }
    }
    false
}
