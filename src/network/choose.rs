//! What to do next in compositional generation: which neighbours to restrict a part by, and which parts to put together. These
//! are guesses; what comes of them is the same.

use std::collections::BTreeMap;

use super::vectors::{Network, NetworkPartId, NetworkVector};
use crate::base::IndexVec;
use crate::lts::{Lts, LtsLabel};

/// The neighbours of a part that it is restricted by: those who move with it, the smaller ones first, then those who move with
/// these, as long as all of them together have at most so many states.
pub(super) fn near(network: &Network, part: NetworkPartId, most: usize) -> Vec<NetworkPartId> {
    let mut is_chosen: IndexVec<NetworkPartId, bool> = IndexVec::of(network.parts.len(), false);
    is_chosen[part] = true;
    let (mut chosen, mut room) = (Vec::new(), most);
    let states = |id: &NetworkPartId| network.parts[*id].lts.states();
    loop {
        let moves = |vector: &&NetworkVector| vector.members.iter().any(|one| is_chosen[one.part]);
        let with = network.vectors.iter().filter(moves).flat_map(|vector| &vector.members);
        let others = with.map(|member| member.part).filter(|other| !is_chosen[*other]);
        let fitting = others.filter(|other| states(other) <= room);
        let Some(best) = fitting.min_by_key(|other| (states(other), *other)) else { break };
        room /= states(&best).max(1);
        is_chosen[best] = true;
        chosen.push(best);
    }
    chosen.sort_unstable();
    chosen
}

/// What two parts do together, counted by pairs of their transitions.
#[derive(Clone, Copy, Default)]
struct Shared {
    /// How many transitions of the first are in vectors of both, and of the second.
    first: f64,
    second: f64,
    together: f64,
    /// Those that are silent once both are one.
    silent: f64,
}

/// Pairs of parts that move together, those that promise most first: small ones that do much together, of which much is silent
/// afterwards. If no parts move together, the two smallest.
pub(super) fn pairs(network: &Network) -> Vec<[NetworkPartId; 2]> {
    let counts: IndexVec<NetworkPartId, IndexVec<LtsLabel, usize>> =
        network.parts.iter().map(|part| by_label(&part.lts)).collect();
    let mut alone: IndexVec<NetworkPartId, f64> = IndexVec::of(network.parts.len(), 0.0);
    let mut shared: BTreeMap<[NetworkPartId; 2], Shared> = BTreeMap::new();
    for vector in network.vectors.iter() {
        for (at, member) in vector.members.iter().enumerate() {
            let one = counts[member.part][member.label] as f64;
            alone[member.part] += one;
            for other in &vector.members[at + 1..] {
                let two = counts[other.part][other.label] as f64;
                let pair = shared.entry([member.part, other.part]).or_default();
                pair.first += one;
                pair.second += two;
                pair.together += one * two;
                pair.silent += if is_hidden(vector) { one * two } else { 0.0 };
            }
        }
    }
    let score = |([first, second], shared): ([NetworkPartId; 2], Shared)| {
        let states = |part: NetworkPartId| network.parts[part].lts.states() as f64;
        let apart = (alone[first] - shared.first) * states(second)
            + (alone[second] - shared.second) * states(first);
        let total = apart + shared.together + 1.0;
        // The bits of the product, up to twice as many if they do all apart, and fewer if what they do together is silent.
        let bits = (states(first) * states(second)).log2();
        (bits * (1.0 + apart / total - shared.silent / total), [first, second])
    };
    let mut scored: Vec<(f64, [NetworkPartId; 2])> = shared.into_iter().map(score).collect();
    scored.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut all: Vec<[NetworkPartId; 2]> = scored.into_iter().map(|(_, pair)| pair).collect();
    if all.is_empty() {
        all.extend(smallest_two(network));
    }
    all
}

fn smallest_two(network: &Network) -> Option<[NetworkPartId; 2]> {
    let mut by_size: Vec<NetworkPartId> = network.parts.ids().collect();
    by_size.sort_by_key(|id| network.parts[*id].lts.states());
    let [first, second] = by_size.get(..2)? else { return None };
    Some([*first.min(second), *first.max(second)])
}

/// How many transitions there are with each label.
fn by_label(lts: &Lts) -> IndexVec<LtsLabel, usize> {
    let mut counts = IndexVec::of(lts.labels().len(), 0);
    for state in lts.ids() {
        lts.steps(state).iter().for_each(|step| counts[step.label] += 1);
    }
    counts
}

/// Whether a vector of two parts is silent once they are put together.
fn is_hidden(vector: &NetworkVector) -> bool {
    vector.members.len() == 2 && vector.result.is_silent() && vector.rivals.is_empty()
}
