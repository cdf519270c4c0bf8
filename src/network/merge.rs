//! Some parts of a network made one: what they do together, and the network around them.
//!
//! A vector that has all its members among them, and gives way to nobody elsewhere, is theirs alone: what is seen of it is a
//! label of theirs. Of any other one, they have a label for what they do in it; vectors in which they do the same share it.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::vectors::{Network, NetworkPart, NetworkPartId, NetworkVector, Synchron};
use crate::base::IndexVec;
use crate::lts::{LabelTable, Lts, LtsBuilder, LtsLabel, LtsState};

/// A network with some of its parts made one.
#[derive(Clone, Debug)]
pub(super) struct Merged {
    /// These parts by themselves.
    pub inner: Network,
    /// The others, and the one in their place, of which only the labels are there.
    pub outer: Network,
    /// Which one that is.
    pub part: NetworkPartId,
}

/// Whether parts can be made one: what stops a vector is decided inside or outside, not across.
pub(super) fn can_merge(network: &Network, chosen: &[NetworkPartId]) -> bool {
    let is_chosen = |member: &Synchron| chosen.contains(&member.part);
    network.vectors.iter().all(|vector| {
        let rivals = || vector.rivals.iter().flatten();
        !rivals().any(is_chosen) || rivals().all(is_chosen) && vector.members.iter().all(is_chosen)
    })
}

/// Makes parts one, which can be merged.
pub(super) fn merge(network: &Network, chosen: &[NetworkPartId]) -> Merged {
    let is_chosen = |part: NetworkPartId| chosen.contains(&part);
    let name = chosen.iter().map(|part| network.parts[*part].name.as_str());
    let name = name.collect::<Vec<_>>().join(" || ");
    let mut inner = Network::new(LabelTable::new(network.labels.text(LtsLabel::SILENT)));
    let mut outer = Network::new(network.labels.clone());
    let mut number = IndexVec::of(network.parts.len(), NetworkPartId(0));
    for (id, part) in network.parts.enumerated() {
        let side = if is_chosen(id) { &mut inner } else { &mut outer };
        number[id] = side.parts.push(part.clone());
    }
    let part = outer.parts.push(NetworkPart { name, lts: Arc::new(nothing(&inner.labels)) });
    let mut merging = Merging { network, number, inner, outer, part, known: FxHashMap::default() };
    // What is seen comes first, so that other labels get other names.
    for vector in network.vectors.iter() {
        merging.inner.labels.intern(network.labels.text(vector.result));
    }
    network.vectors.iter().for_each(|vector| merging.add(vector, &is_chosen));
    let Merging { mut inner, mut outer, .. } = merging;
    outer.parts[part].lts = Arc::new(nothing(&inner.labels));
    once_each(&mut inner);
    once_each(&mut outer);
    Merged { inner, outer, part }
}

/// A system with these labels that does nothing.
fn nothing(labels: &LabelTable) -> Lts {
    LtsBuilder::new(labels.clone()).finish(LtsState(0))
}

/// Leaves out vectors that are there already.
fn once_each(network: &mut Network) {
    let mut seen = FxHashSet::default();
    let vectors = std::mem::take(&mut network.vectors).into_iter();
    network.vectors = vectors.filter(|vector| seen.insert(vector.clone())).collect();
}

struct Merging<'m> {
    network: &'m Network,
    /// What each part is called on its side.
    number: IndexVec<NetworkPartId, NetworkPartId>,
    inner: Network,
    outer: Network,
    part: NetworkPartId,
    /// The labels for what is done in vectors that others take part in.
    known: FxHashMap<Vec<Synchron>, LtsLabel>,
}

impl Merging<'_> {
    fn add(&mut self, vector: &NetworkVector, is_chosen: &impl Fn(NetworkPartId) -> bool) {
        let (own, mut others): (Vec<Synchron>, Vec<Synchron>) =
            vector.members.iter().partition(|member| is_chosen(member.part));
        let number = |members: &[Synchron]| -> Vec<Synchron> {
            members.iter().map(|one| Synchron { part: self.number[one.part], ..*one }).collect()
        };
        let rivals: Vec<Vec<Synchron>> = vector.rivals.iter().map(|rival| number(rival)).collect();
        let is_rival_inside = vector.rivals.iter().flatten().any(|one| is_chosen(one.part));
        let is_inner = others.is_empty() && (rivals.is_empty() || is_rival_inside);
        let (inside, outside) = (number(&own), number(&others));
        if own.is_empty() {
            let result = vector.result;
            self.outer.vectors.push(NetworkVector { members: outside, result, rivals });
            return;
        }
        others = outside;
        let (result, inner_rivals, outer_rivals) = match is_inner {
            true => (self.seen(vector.result), rivals, Vec::new()),
            false => (self.label(&inside), Vec::new(), rivals),
        };
        self.inner.vectors.push(NetworkVector { members: inside, result, rivals: inner_rivals });
        others.push(Synchron { part: self.part, label: result });
        others.sort_unstable();
        let outside =
            NetworkVector { members: others, result: vector.result, rivals: outer_rivals };
        self.outer.vectors.push(outside);
    }

    /// The label for what is seen of a vector.
    fn seen(&mut self, result: LtsLabel) -> LtsLabel {
        match result.is_silent() {
            true => result,
            false => self.inner.labels.intern(self.network.labels.text(result)),
        }
    }

    /// The label for what these members do, which nothing else has.
    fn label(&mut self, members: &[Synchron]) -> LtsLabel {
        if let Some(known) = self.known.get(members) {
            return *known;
        }
        let one = |member: &Synchron| {
            let part = &self.inner.parts[member.part];
            format!("{}.{}", part.name, part.lts.text(member.label))
        };
        let mut text = members.iter().map(one).collect::<Vec<_>>().join(" & ");
        while self.inner.labels.get(&text).is_some() {
            text.push('\'');
        }
        let label = self.inner.labels.intern(&text);
        self.known.insert(members.to_vec(), label);
        label
    }
}
