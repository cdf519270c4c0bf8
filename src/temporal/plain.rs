//! Formulas of finite systems, decided once more and as plainly as they are defined: nothing here is shared with the engines,
//! so that whoever goes through a proof need not believe them.
//!
//! Fixpoints are sets that are computed round by round from nothing, or from everything. What is said of runs is decided by
//! all ways in which its operators can be true or false along a run (`tableau.rs`).

mod tableau;

use rustc_hash::FxHashMap;

use super::explicit::{Atoms, Bindings, FiniteSystem, MoveId, Undecided};
use super::formula::{FairPattern, FixId, Modality, Runs, StateFormula, StepPattern};
use crate::algebra::{TermId, VarId};
use crate::base::Id;
use crate::base::budget::is_spent;
use crate::explore::Value;
use crate::lts::LtsState;

/// A fixpoint has no more values of its parameters than these.
const MOST_VALUES: usize = 100_000;

/// What a fixpoint is taken for, for each choice of its parameters that was asked for.
struct Taken {
    fix: FixId,
    greatest: bool,
    params: Vec<VarId>,
    /// What is bound where it stands.
    outside: Bindings,
    sets: FxHashMap<Vec<Value>, Vec<bool>>,
    /// Choices that were asked for, and are not looked at yet.
    new: Vec<Vec<Value>>,
}

/// Decides formulas of a system plainly.
pub struct PlainDecider<'a> {
    system: &'a FiniteSystem,
    atoms: &'a mut dyn Atoms,
    fair: &'a [FairPattern],
    taken: Vec<Taken>,
}

impl<'a> PlainDecider<'a> {
    /// Somebody who decides formulas of a system, where runs count that are fair.
    pub fn new(
        system: &'a FiniteSystem,
        atoms: &'a mut dyn Atoms,
        fair: &'a [FairPattern],
    ) -> PlainDecider<'a> {
        PlainDecider { system, atoms, fair, taken: Vec::new() }
    }

    /// Where a formula holds, for values of what is bound around it.
    pub fn set(
        &mut self,
        formula: &StateFormula,
        bound: &Bindings,
    ) -> Result<Vec<bool>, Undecided> {
        if is_spent() {
            return Err(Undecided::Stopped);
        }
        match formula {
            StateFormula::Bool(value) => Ok(self.everywhere(*value)),
            StateFormula::Holds(says) => {
                let holds = |at: usize| self.atoms.holds(LtsState::at(at), says, bound);
                Ok((0..self.system.len()).map(holds).collect::<Result<_, _>>()?)
            }
            StateFormula::MayEnd => Ok(self.may_end()),
            StateFormula::Not(inner) => Ok(opposite(self.set(inner, bound)?)),
            StateFormula::And(parts) => self.several(true, parts, bound),
            StateFormula::Or(parts) => self.several(false, parts, bound),
            StateFormula::Implies(one, other) => {
                let mut set = opposite(self.set(one, bound)?);
                if !set.iter().all(|&is| is) {
                    join(&mut set, &self.set(other, bound)?);
                }
                Ok(set)
            }
            StateFormula::Forall(vars, inner) => self.for_values(true, vars, inner, bound),
            StateFormula::Exists(vars, inner) => self.for_values(false, vars, inner, bound),
            StateFormula::Box(modality) => self.before(true, modality, bound),
            StateFormula::Diamond(modality) => self.before(false, modality, bound),
            StateFormula::Fix { id, greatest, params, body } => {
                let values = self.values(None, params.iter().map(|(_, term)| *term), bound)?;
                let taken = Taken {
                    fix: *id,
                    greatest: *greatest,
                    params: params.iter().map(|(var, _)| *var).collect(),
                    outside: bound.clone(),
                    sets: FxHashMap::default(),
                    new: Vec::new(),
                };
                self.fixpoint(taken, values, body)
            }
            StateFormula::Again(id, args) => {
                let values = self.values(None, args.iter().copied(), bound)?;
                let whole = self.system.len();
                let taken = self.taken.iter_mut().rev().find(|taken| taken.fix == *id);
                let taken = taken.ok_or(Undecided::Unbound)?;
                Ok(taken.of(values, whole))
            }
            StateFormula::Path(Runs::Some, path) => tableau::some(self, (path, false), bound),
            StateFormula::Path(Runs::All, path) => {
                // What is said of a step that there is not is the opposite, where the whole is.
                let otherwise = path.as_ref().clone().negated();
                Ok(opposite(tableau::some(self, (&otherwise, true), bound)?))
            }
            StateFormula::Text(_, inner) => self.set(inner, bound),
        }
    }

    fn everywhere(&self, value: bool) -> Vec<bool> {
        vec![value; self.system.len()]
    }

    /// Where a run may end: every step that is possible needs a hole.
    fn may_end(&self) -> Vec<bool> {
        let ends = |at: usize| {
            let mut steps = self.system.steps.row(LtsState::at(at)).iter();
            steps.all(|(done, _)| self.atoms.needs_hole(*done))
        };
        (0..self.system.len()).map(ends).collect()
    }

    fn several(
        &mut self,
        all: bool,
        parts: &[StateFormula],
        bound: &Bindings,
    ) -> Result<Vec<bool>, Undecided> {
        let mut set = self.everywhere(all);
        for part in parts {
            let here = self.set(part, bound)?;
            if all {
                meet(&mut set, &here)
            } else {
                join(&mut set, &here)
            }
            // What is settled everywhere is not asked further: there may be no end of values behind it.
            if set.iter().all(|&is| is != all) {
                break;
            }
        }
        Ok(set)
    }

    fn for_values(
        &mut self,
        all: bool,
        vars: &[VarId],
        inner: &StateFormula,
        bound: &Bindings,
    ) -> Result<Vec<bool>, Undecided> {
        let Some((&first, rest)) = vars.split_first() else { return self.set(inner, bound) };
        let mut set = self.everywhere(all);
        for value in self.atoms.values(first)? {
            let here = self.for_values(all, rest, inner, &with(bound, first, value))?;
            if all { meet(&mut set, &here) } else { join(&mut set, &here) }
        }
        Ok(set)
    }

    /// From where all steps that are meant lead to where something holds, or one does.
    fn before(
        &mut self,
        all: bool,
        modality: &Modality,
        bound: &Bindings,
    ) -> Result<Vec<bool>, Undecided> {
        let mut then: FxHashMap<Bindings, Vec<bool>> = FxHashMap::default();
        let mut set = self.everywhere(all);
        let system = self.system;
        for (at, here) in set.iter_mut().enumerate() {
            for &(done, to) in system.steps.row(LtsState::at(at)) {
                if !self.is_meant(done, &modality.step, bound)? {
                    continue;
                }
                let terms = modality.binds.iter().map(|(_, term)| *term);
                let values = self.values(Some(done), terms, bound)?;
                let mut inner = bound.clone();
                for ((var, _), value) in modality.binds.iter().zip(values) {
                    inner = with(&inner, *var, value);
                }
                if !then.contains_key(&inner) {
                    let set = self.set(&modality.then, &inner)?;
                    then.insert(inner.clone(), set);
                }
                let leads = then[&inner][to.index()];
                *here = if all { *here && leads } else { *here || leads };
            }
        }
        Ok(set)
    }

    /// Whether a step is meant.
    fn is_meant(
        &mut self,
        done: MoveId,
        step: &StepPattern,
        bound: &Bindings,
    ) -> Result<bool, Undecided> {
        Ok(match step {
            StepPattern::Any => true,
            StepPattern::Not(inner) => !self.is_meant(done, inner, bound)?,
            StepPattern::And(parts) => {
                let is = |part| self.is_meant(done, part, bound);
                parts.iter().map(is).collect::<Result<Vec<_>, _>>()?.into_iter().all(|is| is)
            }
            StepPattern::Or(parts) => {
                let is = |part| self.is_meant(done, part, bound);
                parts.iter().map(is).collect::<Result<Vec<_>, _>>()?.into_iter().any(|is| is)
            }
            leaf => self.atoms.fits(done, leaf, bound)?,
        })
    }

    fn values(
        &mut self,
        done: Option<MoveId>,
        terms: impl Iterator<Item = TermId>,
        bound: &Bindings,
    ) -> Result<Vec<Value>, Undecided> {
        let value = |term| self.atoms.value(done, term, bound);
        Ok(terms.map(value).collect::<Result<_, _>>()?)
    }

    /// A fixpoint for values of its parameters, and for all that its body asks for, until no round changes anything.
    fn fixpoint(
        &mut self,
        mut taken: Taken,
        values: Vec<Value>,
        body: &StateFormula,
    ) -> Result<Vec<bool>, Undecided> {
        taken.of(values.clone(), self.system.len());
        self.taken.push(taken);
        let found = self.rounds(body);
        let taken = self.taken.pop().ok_or(Undecided::Unbound)?;
        found?;
        taken.sets.get(&values).cloned().ok_or(Undecided::Unbound)
    }

    fn rounds(&mut self, body: &StateFormula) -> Result<(), Undecided> {
        let place = self.taken.len() - 1;
        loop {
            let taken = &mut self.taken[place];
            taken.new.clear();
            let choices: Vec<Vec<Value>> = taken.sets.keys().cloned().collect();
            let mut changed = false;
            for values in choices {
                let taken = &self.taken[place];
                let mut bound = taken.outside.clone();
                for (var, value) in taken.params.iter().zip(&values) {
                    bound = with(&bound, *var, value.clone());
                }
                let set = self.set(body, &bound)?;
                let taken = &mut self.taken[place];
                let before = taken.sets.insert(values, set.clone());
                changed |= before != Some(set);
            }
            let taken = &self.taken[place];
            if taken.sets.len() > MOST_VALUES {
                return Err(Undecided::TooMany);
            }
            if !changed && taken.new.is_empty() {
                return Ok(());
            }
        }
    }
}

impl Taken {
    /// What it is taken for now, for values of its parameters.
    fn of(&mut self, values: Vec<Value>, whole: usize) -> Vec<bool> {
        if let Some(known) = self.sets.get(&values) {
            return known.clone();
        }
        let set = vec![self.greatest; whole];
        self.sets.insert(values.clone(), set.clone());
        self.new.push(values);
        set
    }
}

/// What is bound, with one more value, in the place of an old one.
fn with(bound: &Bindings, var: VarId, value: Value) -> Bindings {
    let mut all: Bindings = bound.iter().filter(|(known, _)| *known != var).cloned().collect();
    all.push((var, value));
    all
}

fn opposite(mut set: Vec<bool>) -> Vec<bool> {
    set.iter_mut().for_each(|is| *is = !*is);
    set
}

fn join(all: &mut [bool], more: &[bool]) {
    all.iter_mut().zip(more).for_each(|(is, more)| *is |= more);
}

fn meet(all: &mut [bool], other: &[bool]) {
    all.iter_mut().zip(other).for_each(|(is, other)| *is &= other);
}
