//! Reachability predicates as evidence: what they have to meet, and what they say in each state.

use crate::algebra::TermId;
use crate::automaton::{StateId, variable_names};
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::emit::{Scope, label};
use crate::outcome::{Obligation, ObligationKind, Predicate, Reason, StateClaim, Status};
use crate::smt::Answer;
use crate::system::{Duty, Prover, System};

/// The duties of a predicate, all of them met; otherwise, what it does not do.
pub(super) fn met(
    (system, prover): (&System<'_>, &mut Prover<'_>),
    duties: &[(Duty, Vec<TermId>)],
) -> Result<Vec<Obligation>, Reason> {
    all_met((system, prover), duties)?;
    let met = |(duty, _): &(Duty, Vec<TermId>)| Obligation {
        about: kind(system, *duty),
        status: Status::Met,
    };
    Ok(duties.iter().map(met).collect())
}

/// Whether a predicate does what it must; otherwise, what it does not do.
pub(super) fn all_met(
    (system, prover): (&System<'_>, &mut Prover<'_>),
    duties: &[(Duty, Vec<TermId>)],
) -> Result<(), Reason> {
    for (duty, conditions) in duties {
        match prover.none_holds(conditions) {
            Answer::Unsat => {}
            Answer::Sat => return Err(Reason::PredicateFails),
            Answer::Unknown(why) => {
                return Err(Reason::UnsureObligation { obligation: kind(system, *duty), why });
            }
        }
    }
    Ok(())
}

/// The first duty that is not met, with what the solver says; those that it can refute before those that it does not know.
pub(super) fn failed_first(
    prover: &mut Prover<'_>,
    duties: &[(Duty, Vec<TermId>)],
) -> Option<(Duty, Answer)> {
    let mut unknown = None;
    for (duty, conditions) in duties {
        match prover.none_holds(conditions) {
            Answer::Unsat => {}
            Answer::Sat => return Some((*duty, Answer::Sat)),
            answer @ Answer::Unknown(_) if unknown.is_none() => unknown = Some((*duty, answer)),
            Answer::Unknown(_) => {}
        }
        if is_spent() {
            break;
        }
    }
    unknown
}

/// What is to be shown.
pub(super) fn kind(system: &System<'_>, duty: Duty) -> ObligationKind {
    let state = |at: StateId| system.state_name(at);
    match duty {
        Duty::First => ObligationKind::HoldsFirst,
        Duty::Kept(at, step) => ObligationKind::Kept { state: state(at), step: step.index() + 1 },
        Duty::Away(at) => ObligationKind::KeepsAway { state: state(at) },
    }
}

/// What holds in each state.
pub(super) fn claims(
    (system, prover): (&System<'_>, &Prover<'_>),
    predicate: &IndexVec<StateId, TermId>,
) -> Predicate {
    let names = variable_names(system.automaton);
    let scope = Scope { algebra: prover.algebra, terms: &prover.terms, names: Some(&names) };
    let claim = |(at, &condition): (StateId, &TermId)| StateClaim {
        state: system.state_name(at),
        holds: label::condition(scope, condition),
    };
    Predicate { states: predicate.enumerated().map(claim).collect() }
}
