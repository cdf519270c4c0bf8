//! Refined interfaces: what some parts of a network allow another one to do (Lang, RR-5996, Definition 6).
//!
//! What goes in: a network, a part, and some of its neighbours. What comes out: the product of the neighbours under the vectors
//! as these look to them, labelled with what the part does. Claimed is Theorem 1: with the part restricted by it, the product
//! of the network is the same, state for state. Of the part itself only the labels are looked at.
//!
//! Two things are not in the paper. Priorities: the interface is made as if there were none, and a *rival* that is no vector
//! counts as one, since the part must still be able to move wherever that stops another vector. Silent steps that a vector
//! synchronises or cuts: a neighbour that has such is reduced by strong bisimilarity only.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::behaviour::NotGenerated;
use super::product::{ProductFigures, ProductLimits, product};
use super::restrict::{Controls, Interface};
use super::simplify::{replace, simplify};
use super::vectors::{Network, NetworkPart, NetworkPartId, NetworkVector, Synchron};
use crate::base::{IndexVec, Watch};
use crate::lts::{
    Equivalence, Lts, LtsBuilder, LtsLabel, LtsState, NotReduced, ReduceLimits, reduce,
};

/// How large a system is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct SystemSize {
    /// How many states it has.
    pub states: usize,
    /// How many transitions.
    pub transitions: usize,
}

impl SystemSize {
    /// The size of a system.
    pub fn of(lts: &Lts) -> SystemSize {
        SystemSize { states: lts.states(), transitions: lts.transitions() }
    }
}

/// A system that was made smaller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Smaller {
    /// Its name.
    pub name: String,
    /// How large it was.
    pub before: SystemSize,
    /// How large it is.
    pub after: SystemSize,
    /// What was preserved.
    pub by: Equivalence,
}

/// A refined interface, and how it was made.
#[derive(Clone, Debug)]
pub struct RefinedInterface {
    /// The interface.
    pub interface: Interface,
    /// What was made of the neighbours before.
    pub neighbours: Vec<Smaller>,
    /// Their product.
    pub product: ProductFigures,
    /// How large the interface is, once it is reduced.
    pub size: SystemSize,
    /// By what.
    pub by: Equivalence,
}

/// What a part is allowed by some of its neighbours.
pub fn refined_interface(
    network: &Network,
    part: NetworkPartId,
    neighbours: &[NetworkPartId],
    limits: ProductLimits,
    watch: &dyn Watch,
) -> Result<RefinedInterface, NotGenerated> {
    let mut seen = Seen::new(network, part, neighbours);
    let free = seen.loosen();
    let mut reduced = Vec::new();
    for at in seen.network.parts.ids() {
        reduced.push(seen.reduce(at, watch)?);
    }
    seen.let_labels_be_any_time();
    let together = product(&seen.network, limits, watch)?;
    let figures = together.figures;
    let (lts, by) = smallest(together.lts, watch)?;
    let labels = network.parts[part].lts.labels();
    let free = free.iter().map(|label| labels.text(*label).to_owned()).collect();
    let size = SystemSize::of(&lts);
    let interface =
        Interface { lts, controls: Controls::AllBut(free), foreseen: Some(labels.clone()) };
    Ok(RefinedInterface { interface, neighbours: reduced, product: figures, size, by })
}

/// Reduced by what keeps traces and reduces most; by less where that is too large.
fn smallest(lts: Lts, watch: &dyn Watch) -> Result<(Lts, Equivalence), NotGenerated> {
    for by in [Equivalence::Safety, Equivalence::Weak, Equivalence::Branching] {
        match reduce(lts.clone(), by, ReduceLimits::default(), watch) {
            Ok(small) => return Ok((small, by)),
            Err(NotReduced::TooLarge(_)) => {}
            Err(why) => return Err(why.into()),
        }
    }
    let small = reduce(lts, Equivalence::Strong, ReduceLimits::default(), watch)?;
    Ok((small, Equivalence::Strong))
}

/// A rule: who moves together, of the neighbours, and what the part does meanwhile.
type Rule = (Vec<Synchron>, LtsLabel);

/// A network as it looks to some neighbours of a part.
struct Seen {
    /// The neighbours. Its labels are those of the part; its vectors are the rules.
    network: Network,
    /// What the part can do at any time, as far as they are asked.
    any_time: BTreeSet<LtsLabel>,
}

impl Seen {
    fn new(network: &Network, part: NetworkPartId, neighbours: &[NetworkPartId]) -> Seen {
        let mut seen = Network::new(network.parts[part].lts.labels().clone());
        let mut number: IndexVec<NetworkPartId, Option<NetworkPartId>> =
            IndexVec::of(network.parts.len(), None);
        let chosen: BTreeSet<NetworkPartId> = neighbours.iter().copied().collect();
        for id in chosen.into_iter().filter(|id| *id != part) {
            number[id] = Some(seen.parts.push(network.parts[id].clone()));
        }
        let mut any_time = BTreeSet::new();
        for (members, label) in rules(network, part, &number) {
            if !members.is_empty() {
                seen.vectors.push(NetworkVector::new(members, label));
            } else if !label.is_silent() {
                any_time.insert(label);
            }
        }
        Seen { network: seen, any_time }
    }

    /// What the part can do at any time, and does with no neighbour, is not controlled; the others stay.
    fn loosen(&mut self) -> BTreeSet<LtsLabel> {
        let used: BTreeSet<LtsLabel> =
            self.network.vectors.iter().map(|vector| vector.result).collect();
        let (kept, free) = self.any_time.iter().partition(|label| used.contains(label));
        self.any_time = kept;
        free
    }

    /// Makes a neighbour smaller.
    fn reduce(&mut self, at: NetworkPartId, watch: &dyn Watch) -> Result<Smaller, NotGenerated> {
        let NetworkPart { name, lts } = self.network.parts[at].clone();
        let is_free = simplify(&mut self.network, at);
        let simple = Lts::clone(&self.network.parts[at].lts);
        let (small, by) = match is_free {
            true => smallest(simple, watch)?,
            false => {
                let strong = Equivalence::Strong;
                (reduce(simple, strong, ReduceLimits::default(), watch)?, strong)
            }
        };
        let (before, after) = (SystemSize::of(&lts), SystemSize::of(&small));
        replace(&mut self.network, at, small);
        Ok(Smaller { name, before, after, by })
    }

    /// One more part, which does what can be done at any time.
    fn let_labels_be_any_time(&mut self) {
        let mut builder = LtsBuilder::new(self.network.labels.clone());
        let only = LtsState(0);
        self.any_time.iter().for_each(|label| builder.add(only, *label, only));
        let lts = Arc::new(builder.finish(only));
        let part = self.network.parts.push(NetworkPart { name: String::new(), lts });
        for label in &self.any_time {
            let vector = NetworkVector::new(vec![Synchron { part, label: *label }], *label);
            self.network.vectors.push(vector);
        }
    }
}

/// All rules, each once: vectors without those who are not asked, and rivals like vectors.
fn rules(
    network: &Network,
    part: NetworkPartId,
    number: &IndexVec<NetworkPartId, Option<NetworkPartId>>,
) -> BTreeSet<Rule> {
    let neighbours = |members: &[Synchron]| {
        let asked = members.iter().filter_map(|member| {
            Some(Synchron { part: number[member.part]?, label: member.label })
        });
        let mut asked: Vec<Synchron> = asked.collect();
        asked.sort_unstable();
        asked.dedup_by_key(|member| member.part);
        asked
    };
    let mut rules = BTreeSet::new();
    for vector in network.vectors.iter() {
        let seen = vector.label_of(part).unwrap_or(LtsLabel::SILENT);
        rules.insert((neighbours(&vector.members), seen));
        for rival in &vector.rivals {
            let own = rival.iter().filter(|member| member.part == part);
            rules.extend(own.map(|member| (neighbours(rival), member.label)));
        }
    }
    rules
}
