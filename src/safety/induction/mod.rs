//! Induction: conditions that may be invariant are guessed from examples and from the text of the model, and those that are
//! inductive together are kept. If they exclude what is bad, nothing bad can be reached. If they do not, what is to be shown
//! may be inductive over several steps together with them.

mod affine;
mod candidates;
mod deeper;
mod houdini;
mod sample;

use rustc_hash::FxHashSet;

pub(super) use self::candidates::Candidate;
use self::candidates::Stage;
pub(super) use self::houdini::kept;
use super::check::excludes;
use super::minimal::minimal;
use super::{Effort, Engine, Found, Invariant, Open, Problem};
use crate::algebra::{TermId, Terms};
use crate::base::Watch;
use crate::base::budget::is_spent;
use crate::smt::Limits;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Induction {
    /// Whether conditions are guessed.
    pub guesses: bool,
    /// Over how many steps what is to be shown may be inductive, with what was kept; 0 where this is not tried.
    pub deepest: usize,
}

impl Default for Induction {
    fn default() -> Induction {
        Induction { guesses: true, deepest: deeper::DEEPEST }
    }
}

impl Engine for Induction {
    fn name(&self) -> &'static str {
        "induction"
    }

    fn solve(&self, problem: &Problem<'_>, watch: &dyn Watch) -> (Found, Effort) {
        let mut terms = problem.terms.clone();
        watch.searching("examples", 0);
        let samples = sample::samples(problem, &mut terms);
        let mut effort = Effort::default();
        let mut seen = FxHashSet::default();
        let (mut kept, mut dropped): (Vec<Candidate>, Vec<Candidate>) = (Vec::new(), Vec::new());
        for stage in Stage::ALL.into_iter().filter(|_| self.guesses) {
            let asked = (stage, &mut seen);
            let mut new = candidates::candidates(problem, &mut terms, &samples, asked);
            effort.nodes += new.len();
            effort.refinements += 1;
            // What was not inductive before may be so together with what is new.
            new.append(&mut dropped);
            if is_spent() {
                break;
            }
            match houdini::kept(problem, &mut terms, (&kept, &new), watch) {
                Err(why) => return (Found::Open(Open::Solver(why.to_string())), effort),
                Ok((alive, queries)) => {
                    effort.queries += queries;
                    for (one, alive) in new.into_iter().zip(alive) {
                        if alive { kept.push(one) } else { dropped.push(one) }
                    }
                }
            }
            effort.predicates = kept.len();
            let conjuncts = kept.iter().map(|one| one.term).collect();
            let invariant = Invariant { terms: terms.clone(), conjuncts };
            if excludes(problem, &invariant, Limits::default()).is_ok() && !is_spent() {
                return (Found::Safe(Box::new(minimal(problem, &invariant))), effort);
            }
        }
        let kept: Vec<TermId> = kept.iter().map(|one| one.term).collect();
        match self.over_steps(problem, (&terms, &kept), watch, &mut effort) {
            _ if is_spent() => (Found::Open(Open::Stopped), effort),
            Some(invariant) => (Found::Safe(Box::new(minimal(problem, &invariant))), effort),
            None => (Found::Open(Open::GaveUp), effort),
        }
    }
}

impl Induction {
    /// An invariant by induction over several steps, if there is one. What cannot be put to the solver is none.
    fn over_steps(
        &self,
        problem: &Problem<'_>,
        known: (&Terms, &[TermId]),
        watch: &dyn Watch,
        effort: &mut Effort,
    ) -> Option<Invariant> {
        if self.deepest == 0 || is_spent() {
            return None;
        }
        deeper::deeper(problem, known, (self.deepest, watch), effort).ok().flatten()
    }
}
