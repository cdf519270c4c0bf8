//! A relation made of simple conditions: equalities between variables of the two sides, with constants, with initial
//! values, and the conditions of guards.
//!
//! This is Houdini, on pairs of states. At first a pair is related under all of these that could matter. Then what
//! does not survive a step is taken away, until what is left survives every step, or a step cannot be answered at
//! all. What is found is checked like any other relation, so nothing here has to be right for a proof to be one.

use rustc_hash::{FxHashMap, FxHashSet};

use super::SideId;
use super::game::{FIRST, Game, Pair, Response};
use super::obligations::Relation;
use crate::algebra::{TermId, VarId};
use crate::automaton::{StateId, StateVariable};
use crate::base::budget::is_spent;
use crate::outcome::Reason;
use crate::smt;
use crate::system::{Step, alike, guard_atoms};

/// More candidates than this for one pair are not tried.
const MOST_CANDIDATES: usize = 200;
const MOST_ROUNDS: usize = 60;

impl Game<'_, '_> {
    /// That states and variables of the same names are the same: for automata that are alike. Nothing when they are
    /// not alike enough for that to make sense.
    pub fn obvious(&mut self) -> Option<Relation> {
        let [left, right] = &self.sides.systems.0;
        let mut same: Vec<(VarId, VarId)> = Vec::with_capacity(left.variables.len());
        for x in &left.variables {
            let y = right.variables.iter().find(|y| y.path == x.path)?;
            let sort = |var: VarId| &self.prover.terms.var(var).sort;
            alike(sort(x.var), sort(y.var)).then(|| same.push((x.var, y.var)))?;
        }
        let others: FxHashMap<String, StateId> =
            right.steps.ids().map(|at| (right.state_name(at), at)).collect();
        let pairs: Vec<Pair> = left
            .steps
            .ids()
            .filter_map(|at| Some((at, *others.get(&left.state_name(at))?)))
            .collect();
        let states = left.steps.len();
        let equal: Vec<TermId> = same
            .into_iter()
            .map(|(x, y)| {
                let (x, y) = (self.prover.terms.var_term(x), self.prover.terms.var_term(y));
                self.prover.terms.equal(x, y)
            })
            .collect();
        let equal = self.prover.terms.and(equal);
        (pairs.len() == states).then(|| pairs.into_iter().map(|pair| (pair, equal)).collect())
    }

    /// Looks for a relation made of simple conditions, and of others that look promising.
    pub fn simple(&mut self, more: &[TermId]) -> Result<Relation, Reason> {
        self.prover.oracle.count_anew();
        let pairs = self.pairs();
        let mut atoms = self.atoms();
        atoms.extend(more);
        let mut seen = FxHashSet::default();
        atoms.retain(|&atom| seen.insert(atom));
        let initial = self.sides.initial_values();
        let mut kept: FxHashMap<Pair, Vec<TermId>> = FxHashMap::default();
        // Only pairs that a step and its answer lead to are met; the initial one is the first.
        let mut first = Vec::new();
        let same = self.same_at_first();
        for &atom in &atoms {
            let now = self.prover.terms.substitute(atom, &initial);
            let not = self.prover.terms.not(now);
            let question: Vec<TermId> = same.iter().copied().chain([not]).collect();
            if self.prover.check(&question) == smt::Answer::Unsat {
                first.push(atom);
            }
        }
        kept.insert(FIRST, first);
        for _ in 0..MOST_ROUNDS {
            if is_spent() {
                return Err(Reason::Stopped);
            }
            let mut changed = false;
            for &pair in &pairs {
                if is_spent() {
                    return Err(Reason::Stopped);
                }
                if self.prover.oracle.was_too_hurried() {
                    return Err(Reason::TooHurried);
                }
                if let Some(mine) = kept.get(&pair).cloned() {
                    changed |= self.spread(pair, &mine, &atoms, &mut kept)?;
                }
            }
            self.prover.searching(&format!(
                "{} simple conditions for {} pairs",
                atoms.len(),
                kept.len()
            ));
            if !changed {
                let mut why = Reason::SimpleNotSettled;
                // By themselves, and with all that is known of what can be reached.
                for known in [false, true] {
                    let mut relation: Relation = Vec::with_capacity(kept.len());
                    for &pair in &pairs {
                        let Some(mut mine) = kept.get(&pair).cloned() else { continue };
                        mine.extend(self.invariant(pair).into_iter().filter(|_| known));
                        relation.push((pair, self.prover.terms.and(mine)));
                    }
                    let obligations = self.obligations(&relation);
                    match self.unmet(&obligations).first() {
                        None => return Ok(relation),
                        Some((obligation, answer)) => {
                            why = self.failed(&obligation.about, answer).into()
                        }
                    }
                }
                return Err(why);
            }
        }
        Err(Reason::SimpleNotSettled)
    }

    /// That variables of the same name that begin with any value begin with the same.
    fn same_at_first(&mut self) -> Vec<TermId> {
        let [left, right] = &self.sides.systems.0;
        let free = |variable: &&StateVariable| variable.initial.is_none();
        let mut pairs = Vec::new();
        for x in left.variables.iter().filter(free) {
            let same = right.variables.iter().filter(free).find(|y| y.path == x.path);
            pairs.extend(same.map(|y| (x.var, y.var)));
        }
        let terms = &mut self.prover.terms;
        let mut found = Vec::with_capacity(pairs.len());
        for (x, y) in pairs {
            if terms.var(x).sort == terms.var(y).sort {
                let (x, y) = (terms.var_term(x), terms.var_term(y));
                found.push(terms.equal(x, y));
            }
        }
        found
    }

    /// Takes away what does not survive the steps of a pair; says whether something changed.
    fn spread(
        &mut self,
        pair: Pair,
        mine: &[TermId],
        atoms: &[TermId],
        kept: &mut FxHashMap<Pair, Vec<TermId>>,
    ) -> Result<bool, Reason> {
        let mut changed = false;
        let yes = self.prover.terms.bool(true);
        for challenge in self.challenges(pair) {
            let made = self.step(pair, challenge);
            let mut before = mine.to_vec();
            before.push(made.guard);
            if self.prover.check(&before) == smt::Answer::Unsat {
                continue;
            }
            // The answers that can cover it at all, each with where it leads.
            for answer in self.answers(pair, challenge) {
                if is_spent() {
                    return Err(Reason::Stopped);
                }
                if self.prover.oracle.was_too_hurried() {
                    return Err(Reason::TooHurried);
                }
                let Some(fits) = self.covers(made, &answer, yes) else { continue };
                let mut together = before.clone();
                together.push(fits);
                let next = self.next(challenge.side, made, &answer);
                let there = kept.get(&next).map_or(atoms, Vec::as_slice).to_vec();
                let after = self.after(made, &answer, &there);
                let Some(left) = self.prover.that_follow(&together, after) else { continue };
                if left.len() < there.len() || !kept.contains_key(&next) {
                    kept.insert(next, left);
                    changed = true;
                }
            }
        }
        Ok(changed)
    }

    /// What conditions come to before a step and its answer; those that are then false are left out.
    fn after(
        &mut self,
        made: &Step,
        answer: &Response<'_>,
        conditions: &[TermId],
    ) -> Vec<(TermId, TermId)> {
        let mut changes = made.updates.clone();
        changes.extend(answer.step.updates.iter().map(|(&var, &value)| (var, value)));
        let mut found = Vec::with_capacity(conditions.len());
        for &condition in conditions {
            // Where the answer has nothing to choose, what is to hold afterwards is no question of how it fits.
            let before = if answer.step.locals.is_empty() {
                Some(self.prover.terms.substitute(condition, &changes))
            } else {
                self.covers(made, answer, condition)
            };
            found.extend(before.map(|before| (condition, before)));
        }
        found
    }

    /// The candidates.
    fn atoms(&mut self) -> Vec<TermId> {
        let mut all: Vec<TermId> = Vec::new();
        let variables: Vec<Vec<(VarId, Option<TermId>)>> = self
            .sides
            .iter()
            .map(|side| side.variables.iter().map(|v| (v.var, v.initial)).collect())
            .collect();
        for &(x, _) in &variables[0] {
            for &(y, _) in &variables[1] {
                if alike(&self.prover.terms.var(x).sort, &self.prover.terms.var(y).sort) {
                    let (a, b) = (self.prover.terms.var_term(x), self.prover.terms.var_term(y));
                    all.push(self.prover.terms.equal(a, b));
                }
            }
        }
        for (side, own) in SideId::BOTH.into_iter().zip(&variables) {
            let steps: Vec<&Step> = self.sides[side].all_steps().collect();
            for &(x, initial) in own {
                let this = self.prover.terms.var_term(x);
                let assigned = steps.iter().filter_map(|step| step.updates.get(&x).copied());
                let values: FxHashSet<TermId> = assigned.chain(initial).collect();
                let mut values: Vec<TermId> = values.into_iter().collect();
                values.sort_unstable();
                for value in values {
                    if self.prover.terms.free_vars(value).is_empty() {
                        all.push(self.prover.terms.equal(this, value));
                    }
                }
                // What a step assigns from other variables may be so ever after.
                for step in &steps {
                    if let Some(&value) = step.updates.get(&x)
                        && step
                            .locals
                            .iter()
                            .all(|l| !self.prover.terms.free_vars(value).contains(l))
                        && !self.prover.terms.free_vars(value).contains(&x)
                    {
                        all.push(self.prover.terms.equal(this, value));
                    }
                }
            }
            // A variable may be where another one is going: `l == f + 1`.
            for step in &steps {
                for (y, value) in step.ordered_updates() {
                    let free = self.prover.terms.free_vars(value);
                    if free.is_empty() || free.iter().any(|var| step.locals.contains(var)) {
                        continue;
                    }
                    for &(x, _) in variables.iter().flatten() {
                        let sorts =
                            (&self.prover.terms.var(x).sort, &self.prover.terms.var(y).sort);
                        if x != y && alike(sorts.0, sorts.1) {
                            let this = self.prover.terms.var_term(x);
                            all.push(self.prover.terms.equal(this, value));
                        }
                    }
                }
            }
            for step in &steps {
                all.extend(guard_atoms(&mut self.prover.terms, step));
            }
        }
        let mut seen = FxHashSet::default();
        all.retain(|&atom| self.prover.terms.as_bool(atom).is_none() && seen.insert(atom));
        all.truncate(MOST_CANDIDATES);
        all
    }
}
