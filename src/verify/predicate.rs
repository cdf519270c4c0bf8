//! Reachability predicates as evidence: what they have to meet, and what they say in each state; also as invariants.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::relation;
use crate::algebra::{Sort, Term, TermId, Terms, VarId, VariableKind, legible};
use crate::automaton::{StateId, VariableNames, variable_names};
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;
use crate::emit::{self, Locations, Scope, label, quoted_path};
use crate::model::Checked;
use crate::outcome::{Obligation, ObligationKind, Predicate, Reason, StateClaim, Status};
use crate::pnet::{LeafId, PNet};
use crate::sema::program::CheckDef;
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
    Predicate { states: predicate.enumerated().map(claim).collect(), item: None }
}

/// A predicate of more states is not written as an invariant.
const MOST_STATES: usize = 10_000;

/// A predicate as an invariant of its net: where the leaves are in some states, what holds there; and that they are in states
/// of the automaton at all. Nothing where it would be too long.
pub(super) fn item(
    (checked, check): (&Checked, &CheckDef),
    (net, name): (&PNet, &str),
    (system, prover): (&System<'_>, &Prover<'_>),
    predicate: &IndexVec<StateId, TermId>,
) -> Option<String> {
    if predicate.len() > MOST_STATES {
        return None;
    }
    let mut terms = prover.terms.clone();
    let places = Places::of(system, net, &mut terms)?;
    let mut alike: IndexMap<TermId, Vec<TermId>, FxBuildHasher> = IndexMap::default();
    let mut all = Vec::with_capacity(predicate.len());
    for (at, &condition) in predicate.enumerated() {
        let place = places.place(&mut terms, system, at);
        all.push(place);
        alike.entry(condition).or_default().push(place);
    }
    let mut conditions = Vec::with_capacity(alike.len() + 1);
    if !places.are_all(system) {
        conditions.push(terms.or(all));
    }
    let everywhere = alike.len() == 1;
    for (condition, places) in alike {
        let there = if everywhere { terms.bool(true) } else { terms.or(places) };
        let condition = terms.implies(there, condition);
        conditions.push(legible(&mut terms, condition));
    }
    conditions.retain(|&one| terms.as_bool(one) != Some(true));
    let names: VariableNames =
        system.variables.iter().map(|known| (known.var, quoted_path(&known.path))).collect();
    let scope = Scope { algebra: prover.algebra, terms: &terms, names: Some(&names) };
    let declared = relation::names_in(checked, check.module, prover.algebra);
    Some(emit::invariant(scope, &declared, &places.locations, ("Found", name), &conditions))
}

/// What stands for where the leaves of an automaton are.
struct Places {
    /// For each leaf that can be in several states, the number of the one it is in.
    leaves: Vec<(LeafId, VarId)>,
    locations: Locations,
}

impl Places {
    fn of(system: &System<'_>, net: &PNet, terms: &mut Terms) -> Option<Places> {
        let own = net.leaves();
        let (mut leaves, mut named) = (Vec::new(), Vec::new());
        for (id, leaf) in system.automaton.leaves.enumerated() {
            if leaf.states.len() > 1 {
                let (_, plts) = own.iter().find(|(path, _)| *path == leaf.path)?;
                let var = terms.new_var(Symbol::new("at"), Sort::Int, VariableKind::State);
                leaves.push((id, var));
                named.push((var, *plts));
            }
        }
        Some(Places { leaves, locations: Locations::of(net, named) })
    }

    /// Whether the states of an automaton are all combinations of states of its leaves.
    fn are_all(&self, system: &System<'_>) -> bool {
        let leaves = &system.automaton.leaves;
        let counts = self.leaves.iter().map(|(leaf, _)| leaves[*leaf].states.len());
        counts.fold(1, usize::saturating_mul) == system.automaton.states.len()
    }

    /// That the leaves are where they are in a state.
    fn place(&self, terms: &mut Terms, system: &System<'_>, at: StateId) -> TermId {
        let states = &system.automaton.states[at].leaves;
        let mut parts = Vec::with_capacity(self.leaves.len());
        for &(leaf, var) in &self.leaves {
            let (var, state) = (terms.var_term(var), terms.int(states[leaf].index()));
            parts.push(terms.raw(Term::Equal(var, state)));
        }
        terms.and(parts)
    }
}
