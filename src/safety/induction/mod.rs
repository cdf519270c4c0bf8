//! Induction: conditions that may be invariant are guessed from examples and from the text of the model, and those that are
//! inductive together are kept. If they exclude what is bad, nothing bad can be reached.

mod affine;
mod candidates;
mod houdini;
mod sample;

pub(super) use candidates::Candidate;
pub(super) use houdini::kept;

use super::check::excludes;
use super::minimal::minimal;
use super::{Effort, Engine, Found, Invariant, Open, Problem};
use crate::base::Watch;
use crate::base::budget::is_spent;
use crate::smt::Limits;

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Induction;

impl Engine for Induction {
    fn name(&self) -> &'static str {
        "induction"
    }

    fn solve(&self, problem: &Problem<'_>, watch: &dyn Watch) -> (Found, Effort) {
        let mut terms = problem.terms.clone();
        watch.searching("examples", 0);
        let samples = sample::samples(problem, &mut terms);
        let candidates = candidates::candidates(problem, &mut terms, &samples);
        let mut effort = Effort { nodes: candidates.len(), ..Effort::default() };
        if is_spent() {
            return (Found::Open(Open::Stopped), effort);
        }
        let kept = match houdini::kept(problem, &mut terms, &candidates, watch) {
            Ok((kept, queries)) => {
                effort.queries = queries;
                kept
            }
            Err(why) => return (Found::Open(Open::Solver(why.to_string())), effort),
        };
        effort.predicates = kept.len();
        let conjuncts = kept.into_iter().map(|place| candidates[place].term).collect();
        let invariant = Invariant { terms, conjuncts };
        let found = match excludes(problem, &invariant, Limits::default()) {
            _ if is_spent() => Found::Open(Open::Stopped),
            Ok(()) => Found::Safe(Box::new(minimal(problem, &invariant))),
            Err(_) => Found::Open(Open::GaveUp),
        };
        (found, effort)
    }
}
