//! Whether an invariant is one: all its obligations, each put to the solver by itself.

use rustc_hash::FxHashMap;

use super::{Invariant, Problem, problem::InteractionId};
use crate::algebra::{TermId, Terms, VarId, VariableKind};
use crate::smt::{Answer, Limits, Session};

/// What an invariant does not do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unmet {
    /// One of its conditions does not hold where the net begins.
    Initial(usize),
    /// An interaction breaks one of its conditions.
    Kept(InteractionId, usize),
    /// It does not exclude what is bad.
    Bad,
    /// The solver does not know, and why.
    Unknown(String),
}

/// Variables for the state after a step.
pub(super) fn primed(
    problem: &Problem<'_>,
    terms: &mut Terms,
) -> (FxHashMap<VarId, VarId>, FxHashMap<VarId, TermId>) {
    let vars = problem.state_variables();
    let (_, fresh) = terms.fresh(vars.iter().copied(), VariableKind::State);
    let next: FxHashMap<VarId, VarId> = vars.iter().copied().zip(fresh).collect();
    let after = next.iter().map(|(&var, &new)| (var, terms.var_term(new))).collect();
    (next, after)
}

/// Only what an interaction changes is another variable after it.
pub(super) fn after(
    problem: &Problem<'_>,
    id: InteractionId,
    all: &FxHashMap<VarId, TermId>,
) -> FxHashMap<VarId, TermId> {
    let changes = problem.changes(id);
    changes.into_iter().filter_map(|var| Some((var, *all.get(&var)?))).collect()
}

/// Puts the obligations of an invariant to the solver: it holds at first, every interaction keeps it, and it excludes what
/// is bad.
pub fn check(problem: &Problem<'_>, invariant: &Invariant, limits: Limits) -> Result<(), Unmet> {
    let mut terms = invariant.terms.clone();
    let unknown = |why: String| Unmet::Unknown(why);
    let algebra = &problem.net.algebra;
    let open_world = problem.is_open_world();
    let made = Session::new(algebra, &mut terms, open_world, limits);
    let mut session = made.map_err(|why| unknown(why.to_string()))?;
    let assert = |session: &mut Session, terms: &mut Terms, term: TermId| {
        session.assert(terms, term).map_err(|why| Unmet::Unknown(why.to_string()))
    };
    for one in problem.shape(&mut terms) {
        assert(&mut session, &mut terms, one)?;
    }
    session.push();
    for &one in &problem.initial {
        assert(&mut session, &mut terms, one)?;
    }
    for (place, &conjunct) in invariant.conjuncts.iter().enumerate() {
        let not = terms.not(conjunct);
        none(session.check_assuming(&mut terms, &[not]), Unmet::Initial(place))?;
    }
    session.pop();
    for &conjunct in &invariant.conjuncts {
        assert(&mut session, &mut terms, conjunct)?;
    }
    none(session.check_assuming(&mut terms, &[problem.bad]), Unmet::Bad)?;
    let (next, after_all) = primed(problem, &mut terms);
    for id in problem.interactions.ids() {
        session.push();
        for part in problem.step(&mut terms, id, &next) {
            assert(&mut session, &mut terms, part)?;
        }
        let after = after(problem, id, &after_all);
        for (place, &conjunct) in invariant.conjuncts.iter().enumerate() {
            let then = terms.substitute(conjunct, &after);
            if then == conjunct {
                continue;
            }
            let broken = terms.not(then);
            none(session.check_assuming(&mut terms, &[broken]), Unmet::Kept(id, place))?;
        }
        session.pop();
    }
    Ok(())
}

fn none(answer: Answer, unmet: Unmet) -> Result<(), Unmet> {
    match answer {
        Answer::Unsat => Ok(()),
        Answer::Sat => Err(unmet),
        Answer::Unknown(why) => Err(Unmet::Unknown(why)),
    }
}
