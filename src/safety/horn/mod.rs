//! The problem as Horn clauses, for Z3's Spacer.
//!
//! While the tuples of locations that can be reached are few, there is one relation between the variables of the components
//! for each of them (`tuples`): which locations follow which is then part of the form of the clauses. Otherwise there is one
//! relation over locations and variables (`whole`). What Spacer finds is an invariant, if it meets its obligations; where it
//! finds a contradiction, the facts that lead there are looked up as a run, and if they are none, bounded search looks for one.

mod tuples;
mod whole;

use super::unroll::Unrolling;
use super::{Bounded, Effort, Engine, Found, Invariant, Lead, Open, Problem};
use crate::algebra::{TermId, Terms, VarId};
use crate::base::budget::is_spent;
use crate::base::{IndexVec, Watch};
use crate::smt::{Answer, Clauses, Fact, HornFound, HornOptions, Limits, RelationId, solve_horn};

/// Where there are more tuples of locations, there is one relation for all of them.
pub(super) const MOST_TUPLES: usize = 400;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Horn {
    /// Where there are more tuples of locations, there is one relation for all of them.
    pub most_tuples: usize,
    /// How long Spacer may think.
    pub limits: Limits,
}

impl Default for Horn {
    fn default() -> Horn {
        // The budget of the work ends what takes too long.
        Horn { most_tuples: MOST_TUPLES, limits: Limits { milliseconds: u32::MAX } }
    }
}

/// Horn clauses of a problem, and what their relations say about it.
pub(super) trait Stated {
    /// The clauses.
    fn clauses(&self) -> &Clauses;

    /// What people may call the relations.
    fn names(&self, problem: &Problem<'_>) -> IndexVec<RelationId, String>;

    /// The locations that a relation is about; none where it has them as arguments.
    fn locations(&self, problem: &Problem<'_>, relation: RelationId) -> Vec<VarId>;

    /// The invariant that relations are, as conditions.
    fn invariant(
        &self,
        problem: &Problem<'_>,
        terms: &mut Terms,
        found: &IndexVec<RelationId, TermId>,
    ) -> Vec<TermId>;
}

/// The problem as Horn clauses.
pub(super) fn state(
    problem: &Problem<'_>,
    terms: &mut Terms,
    most_tuples: usize,
) -> Box<dyn Stated> {
    match tuples::state(problem, terms, most_tuples) {
        Some(stated) => Box::new(stated),
        None => Box::new(whole::state(problem, terms)),
    }
}

impl Engine for Horn {
    fn name(&self) -> &'static str {
        "horn"
    }

    fn solve(&self, problem: &Problem<'_>, watch: &dyn Watch) -> (Found, Effort) {
        let mut terms = problem.terms.clone();
        let stated = state(problem, &mut terms, self.most_tuples);
        let clauses = stated.clauses();
        let mut effort = Effort { queries: 1, nodes: clauses.relations.len(), ..Effort::default() };
        if is_spent() {
            return (Found::Open(Open::Stopped), effort);
        }
        watch.searching(&format!("relations for {} clauses", clauses.clauses.len()), 0);
        let options = HornOptions { limits: self.limits, merge: false };
        let algebra = (&problem.net.algebra, problem.is_open_world());
        let found = match solve_horn(algebra, &mut terms, clauses, options) {
            Err(why) => Found::Open(Open::Solver(why.to_string())),
            Ok(HornFound::Unknown(_)) if is_spent() => Found::Open(Open::Stopped),
            Ok(HornFound::Unknown(why)) => Found::Open(Open::Solver(why)),
            Ok(HornFound::Holds(relations)) => {
                let conjuncts = stated.invariant(problem, &mut terms, &relations);
                effort.predicates = conjuncts.len();
                Found::Safe(Box::new(Invariant { terms, conjuncts }))
            }
            Ok(HornFound::Fails(facts)) => {
                let limits = self.limits;
                match led(problem, &*stated, (&terms, &facts), limits) {
                    Some(lead) => Found::Unsafe(Box::new(lead)),
                    None => {
                        let (found, more) =
                            Bounded { limits, ..Bounded::default() }.solve(problem, watch);
                        effort.queries += more.queries;
                        found
                    }
                }
            }
        };
        (found, effort)
    }
}

/// The run that facts speak of; nothing where it is none.
fn led(
    problem: &Problem<'_>,
    stated: &dyn Stated,
    (terms, facts): (&Terms, &[Fact]),
    limits: Limits,
) -> Option<Lead> {
    let mut run = Unrolling::among(problem, terms.clone(), limits).ok()?;
    for (place, fact) in facts.iter().enumerate() {
        if is_spent() || place > 0 && !run.extend().ok()? {
            return None;
        }
        let locations = stated.locations(problem, fact.relation);
        for at in &locations {
            let at = run.terms.var_term(*at);
            run.assert_at_end(at).ok()?;
        }
        if !locations.is_empty() {
            run.is_only_at(locations);
        }
        fact.says.iter().try_for_each(|&says| run.assert_at_end(says)).ok()?;
    }
    run.assert_at_end(problem.bad).ok()?;
    match run.session.check() {
        Answer::Sat => run.lead().ok(),
        Answer::Unsat | Answer::Unknown(_) => None,
    }
}

/// The conditions that a condition is made of.
fn parts(terms: &Terms, condition: TermId) -> Vec<TermId> {
    match terms.get(condition) {
        crate::algebra::Term::And(parts) => parts.to_vec(),
        crate::algebra::Term::Bool(true) => Vec::new(),
        _ => vec![condition],
    }
}
