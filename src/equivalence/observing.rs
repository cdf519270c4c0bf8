//! Whether an automaton observes silent actions of its holes (Ameur-Boulifa et al., JLAMP 2023, Definition 11): a
//! hole must be able to be silent at any time, by itself, and nothing else may happen then. Only where this is so is
//! weak bisimilarity preserved when the hole is filled.

use super::sequence::silent;
use super::{Product, SideId};
use crate::algebra::{Sort, Term, TermId, VarId, VariableKind};
use crate::automaton::StateId;
use crate::diagnostics::Symbol;
use crate::outcome::Observed;
use crate::pnet::HoleId;
use crate::smt::Answer;
use crate::system::{Facts, Prover, Step, System};

/// A hole whose silent actions are observed, where, and how; what the solver does not know counts as observed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Observation {
    pub hole: HoleId,
    pub state: StateId,
    /// How.
    pub observed: Observed,
}

impl Product<'_> {
    /// For each of some holes of a side whose silent actions are observed, one way in which they are.
    pub fn observations(&mut self, side: SideId, holes: &[HoleId]) -> Vec<Observation> {
        let (system, facts) = (&self.sides[side], &self.facts[side]);
        let paths: Vec<&str> =
            system.automaton.holes.iter().map(|hole| hole.path.as_str()).collect();
        let mut look = Look { system, facts, prover: &mut self.prover };
        let mut found = Vec::new();
        for (hole, one) in self.sides.holes.enumerated() {
            if holes.contains(&hole) && paths.contains(&one.path.as_str()) {
                let first = system.steps.ids().find_map(|state| {
                    let observed = look.observed(state, hole)?;
                    Some(Observation { hole, state, observed })
                });
                found.extend(first);
            }
        }
        found
    }
}

/// A look at one system.
struct Look<'s, 'p, 'a> {
    system: &'s System<'a>,
    facts: &'s Facts,
    prover: &'p mut Prover<'a>,
}

impl Look<'_, '_, '_> {
    fn observed(&mut self, state: StateId, hole: HoleId) -> Option<Observed> {
        let tau = self.prover.terms.raw(Term::Tau);
        if !self.lets_pass(state, hole, (tau, None)) {
            return Some(Observed::Tau);
        }
        let any = self.prover.terms.new_var(Symbol::new("a"), Sort::Action, VariableKind::Input);
        let inner = self.prover.terms.var_term(any);
        let sync = self.prover.terms.raw(Term::Sync(inner));
        if !self.lets_pass(state, hole, (sync, Some(any))) {
            return Some(Observed::Sync);
        }
        self.system.steps[state]
            .iter()
            .any(|step| self.does_more(step, hole))
            .then_some(Observed::More)
    }

    /// Whether a hole can do a silent action in a state while nothing else happens.
    fn lets_pass(
        &mut self,
        state: StateId,
        hole: HoleId,
        (action, any): (TermId, Option<VarId>),
    ) -> bool {
        let mut question = self.facts[state].clone();
        for step in &self.system.steps[state] {
            let [(moved, does)] = step.holes.as_slice() else { continue };
            if *moved != hole || !step.changes_nothing(&self.prover.terms) {
                continue;
            }
            let same = self.prover.terms.equal(*does, action);
            let quiet = silent(&mut self.prover.terms, step.action);
            let locals: Vec<VarId> =
                step.locals.iter().copied().filter(|&local| Some(local) != any).collect();
            let passes = self.prover.exists(&locals, vec![step.guard, same, quiet]);
            question.push(self.prover.terms.not(passes));
        }
        self.prover.none_holds(&question) == Answer::Unsat
    }

    /// Whether a step can do more than let a silent action of a hole pass.
    fn does_more(&mut self, step: &Step, hole: HoleId) -> bool {
        let Some(does) = step.hole(hole) else { return false };
        let mut question = self.facts[step.source].clone();
        question.push(step.guard);
        question.push(silent(&mut self.prover.terms, does));
        if step.changes_nothing(&self.prover.terms) {
            // Other holes may be silent at the same time: nobody sees that either.
            let mut quiet = vec![silent(&mut self.prover.terms, step.action)];
            for &(_, other) in &step.holes {
                quiet.push(silent(&mut self.prover.terms, other));
            }
            let quiet = self.prover.terms.and(quiet);
            question.push(self.prover.terms.not(quiet));
        }
        self.prover.none_holds(&question) != Answer::Unsat
    }
}
