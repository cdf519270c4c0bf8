//! Where nothing is possible.

use super::problem::{Interaction, InteractionId, ParticipantId, Problem, can_start};
use crate::algebra::{TermId, exists};
use crate::base::IndexVec;
use itertools::Itertools;

/// That no interaction can happen, but for those that are left out, and not all components are in final locations.
pub(super) fn stuck(
    problem: &mut Problem<'_>,
    leave_out: impl Fn(&Problem<'_>, &Interaction) -> bool,
) -> TermId {
    let all = problem.interactions.enumerated();
    let counted = all.filter(|(_, interaction)| !leave_out(problem, interaction));
    let ids: Vec<InteractionId> = counted.map(|(id, _)| id).collect();
    let mut parts = Vec::with_capacity(ids.len() + 1);
    for id in ids {
        let can = possible(problem, id);
        parts.push(problem.terms.not(can));
    }
    let done = all_final(problem);
    parts.push(problem.terms.not(done));
    problem.terms.and(parts)
}

/// When an interaction can happen, for some values of its own variables.
pub(super) fn possible(problem: &mut Problem<'_>, id: InteractionId) -> TermId {
    let (locals, choices) = (problem.interactions[id].locals.clone(), choices(problem, id));
    let speaks = |problem: &Problem<'_>, term: TermId| {
        !locals.is_empty() && problem.terms.free_vars(term).iter().any(|var| locals.contains(var))
    };
    // What speaks of no local needs no quantifier: only the others are multiplied out.
    let (mut outside, mut inside) = (Vec::new(), Vec::new());
    for ways in &choices {
        match ways.iter().any(|&way| speaks(problem, way)) {
            true => inside.push(ways.clone()),
            false => outside.push(problem.terms.or(ways.iter().copied())),
        }
    }
    let guard = problem.interactions[id].guard.clone();
    let (bound, free): (Vec<TermId>, Vec<TermId>) =
        guard.into_iter().partition(|&part| speaks(problem, part));
    outside.extend(free);
    let mut found = Vec::new();
    for chosen in inside.into_iter().map(Vec::into_iter).multi_cartesian_product() {
        let parts = chosen.into_iter().chain(bound.iter().copied()).collect();
        found.push(exists(&mut problem.terms, &locals, parts));
    }
    outside.push(problem.terms.or(found));
    problem.terms.and(outside)
}

/// What each participant may do, as conditions.
fn choices(problem: &mut Problem<'_>, id: InteractionId) -> IndexVec<ParticipantId, Vec<TermId>> {
    let Problem { terms, components, interactions, .. } = problem;
    let participants = interactions[id].participants.iter();
    participants
        .map(|participant| {
            let component = &components[participant.component];
            participant.ways.iter().map(|way| can_start(terms, component, way)).collect()
        })
        .collect()
}

/// That there are components, and all are in final locations.
fn all_final(problem: &mut Problem<'_>) -> TermId {
    let Problem { net, terms, components, .. } = problem;
    if components.is_empty() {
        return terms.bool(false);
    }
    let each = components.iter().map(|component| {
        let states = net.plts[component.plts].states.enumerated();
        let finals = states.filter(|(_, state)| state.is_final);
        let at: Vec<TermId> =
            finals.map(|(id, _)| terms.var_term(component.locations[id])).collect();
        terms.or(at)
    });
    let each: Vec<TermId> = each.collect();
    terms.and(each)
}
