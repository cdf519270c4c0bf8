//! What a priority comes to: a vector can happen only where nothing could that goes before it.
//!
//! Whether a part offers an action depends on its state, so this is a condition for each state of the parts.
//! Elaboration has seen to it that no hole has a say in it.

use itertools::Itertools;

use super::rules::{Claim, Open, Rules};
use crate::algebra::{TermId, possible};
use crate::base::budget::is_spent;
use crate::pnet::{PartId, Rival, RivalId, Vector, VectorPlace};

/// A condition under which a rival could not happen, and which rival it is.
pub(crate) type GivesWay = (RivalId, TermId);

/// The conditions under which none of a vector's rivals could happen, when the parts offer these.
pub(crate) fn blocked<'o>(
    rules: &mut Rules<'_>,
    place: VectorPlace,
    offers: &dyn Fn(PartId) -> Vec<&'o Open>,
) -> Vec<GivesWay> {
    let vector = rules.net.vector(place);
    let mut conditions = Vec::new();
    for (number, rival) in rules.foremost.of(place, vector) {
        let offered = rival.members.iter().map(|member| offers(member.part));
        for chosen in offered.multi_cartesian_product() {
            if is_spent() {
                return conditions;
            }
            if let Some(could) = could_happen(rules, vector, rival, &chosen) {
                conditions.push((number, rules.terms.not(could)));
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
