//! Guards as people want to see them: without what the sorts of variables say already, and with one equation for two
//! comparisons that come to it.

use crate::algebra::{Term, TermId, Terms, both_ways, holds_by_sorts};
use crate::automaton::OpenAutomaton;

/// An automaton with short guards. They hold for the same values of the sorts of its variables.
pub fn with_short_guards(automaton: &OpenAutomaton) -> OpenAutomaton {
    let mut shown = automaton.clone();
    for transition in &mut shown.transitions {
        transition.guard = short(&mut shown.terms, transition.guard);
    }
    shown
}

/// A condition that holds for the same values of the sorts of its variables, with fewer parts where that is possible.
pub fn short(terms: &mut Terms, condition: TermId) -> TermId {
    let mut parts = match terms.get(condition).clone() {
        Term::And(parts) => parts.to_vec(),
        _ => vec![condition],
    };
    let all = parts.len();
    parts.retain(|&part| !holds_by_sorts(terms, part));
    let mut at = 0;
    let mut joined = false;
    while at < parts.len() {
        let found = (at + 1..parts.len())
            .find_map(|other| Some((other, both_ways(terms, parts[at], parts[other])?)));
        if let Some((other, equation)) = found {
            parts[at] = equation;
            parts.remove(other);
            joined = true;
        }
        at += 1;
    }
    if joined || parts.len() < all { terms.and(parts) } else { condition }
}
