//! What a priority comes to: a vector can happen only where nothing could that goes before it.
//!
//! Whether a part offers an action depends on its state, so this is a condition for each state of the parts.
//! Elaboration has seen to it that no hole has a say in it.

use super::rules::{Claim, Open, Rules};
use super::solve::possible;
use crate::base::budget::is_spent;
use crate::pnet::{Rival, TermId, Vector};

/// A condition under which a rival could not happen, and which rival it is.
pub(crate) type GivesWay = (u32, TermId);

/// The conditions under which none of a vector's rivals could happen, when the parts offer these.
pub(crate) fn blocked<'o>(
    rules: &mut Rules<'_>,
    vector: &Vector,
    offers: &dyn Fn(usize) -> Vec<&'o Open>,
) -> Vec<GivesWay> {
    let mut conditions = Vec::new();
    for (place, rival) in vector.rivals.iter().enumerate() {
        let mut combinations: Vec<Vec<&Open>> = vec![Vec::new()];
        for member in &rival.members {
            let offered = offers(member.part);
            if is_spent() {
                return conditions;
            }
            let longer = combinations.iter().flat_map(|chosen| {
                offered.iter().map(|&open| [chosen.as_slice(), &[open]].concat())
            });
            combinations = longer.collect();
        }
        for chosen in combinations {
            if is_spent() {
                return conditions;
            }
            if let Some(could) = could_happen(rules, vector, rival, &chosen) {
                conditions.push((place as u32, rules.terms.not(could)));
            }
        }
    }
    conditions
}

/// When a rival could happen with these moves of its members; nothing when it cannot.
fn could_happen(
    rules: &mut Rules<'_>,
    vector: &Vector,
    rival: &Rival,
    chosen: &[&Open],
) -> Option<TermId> {
    let mut pairs = Vec::new();
    let mut conditions = vec![rival.guard];
    for (member, open) in rival.members.iter().zip(chosen) {
        for fact in &open.facts {
            match fact.claim {
                Claim::Same(a, b) => pairs.push((a, b)),
                Claim::Holds(term) => conditions.push(term),
            }
        }
        // Elaboration relies on it that a hole does only what its sort allows.
        let sorts = rules.holes_keep_to_sorts(&open.holes);
        conditions.extend(sorts.iter().filter_map(|fact| match fact.claim {
            Claim::Holds(term) => Some(term),
            Claim::Same(..) => None,
        }));
        pairs.push((open.action, member.action));
    }
    possible(&mut rules.terms, &pairs, &conditions, &vector.variables)
}
