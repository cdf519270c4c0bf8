//! Whether an automaton observes silent actions of its holes (Definition 11 of the JLAMP paper): a hole must be able
//! to be silent at any time, by itself, and nothing else may happen then. Only where this is so is weak bisimilarity
//! preserved when the hole is filled.

use super::sequence::silent;
use super::world::{Step, World};
use crate::algebra::{Sort, Term, TermId, VarId, VariableKind};
use crate::diagnostics::Symbol;
use crate::outcome::Observed;
use crate::smt::Answer;

/// A hole whose silent actions are observed, where, and how; what the solver does not know counts as observed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation {
    /// The hole, by its place.
    pub hole: usize,
    /// The state.
    pub state: usize,
    /// How.
    pub observed: Observed,
}

impl World<'_> {
    /// For each hole of a side whose silent actions are observed, one way in which they are.
    pub fn observations(&mut self, side: usize) -> Vec<Observation> {
        let paths: Vec<String> =
            self.sides[side].automaton.holes.iter().map(|hole| hole.path.clone()).collect();
        let holes: Vec<usize> = (0..self.holes.len())
            .filter(|&place| paths.contains(&self.holes[place].path))
            .collect();
        let mut found = Vec::new();
        for hole in holes {
            let states = 0..self.sides[side].steps.len();
            let first = states.into_iter().find_map(|state| {
                let observed = self.observed(side, state, hole)?;
                Some(Observation { hole, state, observed })
            });
            found.extend(first);
        }
        found
    }

    fn observed(&mut self, side: usize, state: usize, hole: usize) -> Option<Observed> {
        let tau = self.terms.raw(Term::Tau);
        if !self.lets_pass(side, state, hole, (tau, None)) {
            return Some(Observed::Tau);
        }
        let any = self.terms.new_var(Symbol::new("a"), Sort::Action, VariableKind::Input);
        let inner = self.terms.var_term(any);
        let sync = self.terms.raw(Term::Sync(inner));
        if !self.lets_pass(side, state, hole, (sync, Some(any))) {
            return Some(Observed::Sync);
        }
        let steps = self.sides[side].steps[state].clone();
        steps.iter().any(|step| self.does_more(side, step, hole)).then_some(Observed::More)
    }

    /// Whether a hole can do a silent action in a state while nothing else happens.
    fn lets_pass(
        &mut self,
        side: usize,
        state: usize,
        hole: usize,
        (action, any): (TermId, Option<VarId>),
    ) -> bool {
        let mut question = self.sides[side].facts[state].clone();
        for step in self.sides[side].steps[state].clone() {
            let [(moved, does)] = step.holes.as_slice() else { continue };
            if *moved != hole || !changes_nothing(self, &step) {
                continue;
            }
            let same = self.terms.equal(*does, action);
            let quiet = silent(&mut self.terms, step.action);
            let locals: Vec<VarId> =
                step.locals.iter().copied().filter(|&local| Some(local) != any).collect();
            let passes = self.exists(&locals, vec![step.guard, same, quiet]);
            question.push(self.terms.not(passes));
        }
        self.none_holds(&question) == Answer::Unsat
    }

    /// Whether a step can do more than let a silent action of a hole pass.
    fn does_more(&mut self, side: usize, step: &Step, hole: usize) -> bool {
        let Some(&(_, does)) = step.holes.iter().find(|(other, _)| *other == hole) else {
            return false;
        };
        let mut question = self.sides[side].facts[step.source].clone();
        question.push(step.guard);
        question.push(silent(&mut self.terms, does));
        if changes_nothing(self, step) {
            // Other holes may be silent at the same time: nobody sees that either.
            let mut quiet = vec![silent(&mut self.terms, step.action)];
            for &(_, other) in &step.holes {
                quiet.push(silent(&mut self.terms, other));
            }
            let quiet = self.terms.and(quiet);
            question.push(self.terms.not(quiet));
        }
        self.none_holds(&question) != Answer::Unsat
    }
}

/// Whether a step leaves everything as it is.
fn changes_nothing(world: &World<'_>, step: &Step) -> bool {
    step.source == step.target
        && step.updates.iter().all(|(&var, &value)| value == world.terms.var_term(var))
}
