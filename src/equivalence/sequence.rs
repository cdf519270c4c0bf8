//! Steps one after the other, and steps told apart by what is silent in them.

use crate::algebra::{Term, TermId, Terms, VarId, VariableKind, conjunction};
use crate::pnet::HoleId;
use crate::smt::Answer;
use crate::system::{Prover, Step};

/// That an action is silent.
pub fn silent(terms: &mut Terms, action: TermId) -> TermId {
    let tau = terms.raw(Term::Tau);
    let is_tau = terms.equal(action, tau);
    let is_sync = terms.is_sync(action);
    terms.or([is_tau, is_sync])
}

/// A step where it is known of its action, and of those of all its holes, whether they are silent. Holes that are
/// silent are not listed any more, nor are those that are not compared: nobody sees what they do.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub step: Step,
    pub silent: bool,
}

impl Prover<'_> {
    /// A step as several, by what is silent in them, as far as some holes are compared; those that are impossible are
    /// left out.
    pub(super) fn told_apart(&mut self, step: &Step, tracked: &[HoleId]) -> Vec<Told> {
        let compared = step.holes.iter().copied().filter(|(hole, _)| tracked.contains(hole));
        let step = Step { holes: compared.collect(), ..step.clone() };
        let mut found = vec![step.clone()];
        for &(hole, action) in &step.holes {
            let mut next = Vec::with_capacity(found.len());
            for one in &found {
                let (quiet, loud) = self.by_silence(one, action);
                let without = |step: Step| {
                    let holes = step.holes.iter().copied().filter(|(other, _)| *other != hole);
                    Step { holes: holes.collect(), ..step }
                };
                next.extend(quiet.map(without));
                next.extend(loud);
            }
            found = next;
        }
        let mut all = Vec::with_capacity(found.len());
        for one in &found {
            let (quiet, loud) = self.by_silence(one, one.action);
            all.extend(quiet.map(|step| Told { step, silent: true }));
            all.extend(loud.map(|step| Told { step, silent: false }));
        }
        all
    }

    /// A step where an action is silent, and where it is not.
    fn by_silence(&mut self, step: &Step, action: TermId) -> (Option<Step>, Option<Step>) {
        let quiet = silent(&mut self.terms, action);
        let loud = self.terms.not(quiet);
        (self.when(step, quiet), self.when(step, loud))
    }

    /// A step under one more condition; nothing when that is impossible.
    fn when(&mut self, step: &Step, condition: TermId) -> Option<Step> {
        match self.terms.as_bool(condition) {
            Some(true) => return Some(step.clone()),
            Some(false) => return None,
            None => {}
        }
        let parts = conjunction(&mut self.terms, vec![step.guard, condition])?;
        if self.check(&parts) == Answer::Unsat {
            return None;
        }
        let guard = self.terms.and(parts);
        Some(Step { guard, ..step.clone() })
    }

    /// One step after another, which shows what the second shows; nothing when that is impossible, or when a hole
    /// would act twice: then it answers no single step.
    pub(crate) fn then(&mut self, first: &Step, second: &Step) -> Option<Step> {
        let twice =
            |(hole, _): &(HoleId, TermId)| first.holes.iter().any(|(other, _)| other == hole);
        if second.holes.iter().any(twice) {
            return None;
        }
        let second = self.with_new_locals(second, &first.locals);
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
        let (source, target) = (first.source, second.target);
        let made_of = first.made_of.iter().chain(&second.made_of).copied().collect();
        Some(Step { source, target, holes, guard, action, updates, locals, made_of })
    }

    /// A step with new variables for those that are taken.
    pub(super) fn with_new_locals(&mut self, step: &Step, taken: &[VarId]) -> Step {
        if !step.locals.iter().any(|local| taken.contains(local)) {
            return step.clone();
        }
        let (renamed, locals) = self.terms.fresh(step.locals.iter().copied(), VariableKind::Vector);
        let renamed = step.mapped(|term| self.terms.substitute(term, &renamed));
        Step { locals, ..renamed }
    }
}
