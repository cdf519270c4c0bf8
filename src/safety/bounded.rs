//! Bounded search: all runs with one step, with two, and so on, each put to the solver as one question. So what is found is
//! as short as can be.

use super::unroll::Unrolling;
use super::{Effort, Engine, Found, Open, Problem};
use crate::base::Watch;
use crate::base::budget::is_spent;
use crate::smt::{Answer, Limits, Unsupported};

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Bounded {
    /// Longer runs are not looked at.
    pub most_depth: usize,
    /// How long one question may take.
    pub limits: Limits,
}

impl Default for Bounded {
    fn default() -> Bounded {
        // The budget of the work ends a question that takes too long.
        Bounded { most_depth: usize::MAX, limits: Limits { milliseconds: u32::MAX } }
    }
}

impl Engine for Bounded {
    fn name(&self) -> &'static str {
        "bounded"
    }

    fn solve(&self, problem: &Problem<'_>, watch: &dyn Watch) -> (Found, Effort) {
        let mut effort = Effort::default();
        let found = self.search(problem, watch, &mut effort);
        let found = found.unwrap_or_else(|why| Found::Open(Open::Solver(why.to_string())));
        (found, effort)
    }
}

impl Bounded {
    fn search(
        &self,
        problem: &Problem<'_>,
        watch: &dyn Watch,
        effort: &mut Effort,
    ) -> Result<Found, Unsupported> {
        let mut run = Unrolling::new(problem, self.limits)?;
        loop {
            let bad = run.at_end(problem.bad);
            let answer = run.session.check_assuming(&mut run.terms, &[bad]);
            *effort = Effort { queries: run.session.queries, nodes: run.len(), ..*effort };
            watch.searching(&format!("runs of {} steps", run.len()), effort.queries);
            match answer {
                Answer::Sat => return Ok(Found::Unsafe(Box::new(run.lead()?))),
                Answer::Unknown(_) if is_spent() => return Ok(stopped(run.len())),
                Answer::Unknown(why) => return Ok(Found::Open(Open::Solver(why))),
                // There are no runs of this length at all, whatever is bad.
                Answer::Unsat if run.session.core().is_empty() => {
                    return Ok(Found::Open(Open::Depth(run.len())));
                }
                Answer::Unsat => {}
            }
            if run.len() >= self.most_depth || !run.extend()? {
                return Ok(Found::Open(Open::Depth(run.len())));
            }
        }
    }
}

/// What is known when the budget is spent: nothing bad in fewer steps.
fn stopped(steps: usize) -> Found {
    match steps.checked_sub(1) {
        Some(steps) => Found::Open(Open::Depth(steps)),
        None => Found::Open(Open::Stopped),
    }
}
