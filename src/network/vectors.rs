//! Networks as data: parts and the vectors by which they move together.

use std::sync::Arc;

use crate::base::IndexVec;
use crate::lts::{LabelTable, Lts, LtsLabel};
use crate::tagged_id;

tagged_id!(
    /// A part of a network.
    NetworkPartId
);

tagged_id!(
    /// A vector of a network.
    NetworkVectorId
);

/// A part of a network.
#[derive(Clone, Debug)]
pub struct NetworkPart {
    /// What people call it: a path in a model, or the name of a file.
    pub name: String,
    /// What it does.
    pub lts: Arc<Lts>,
}

/// A part that moves, and the label with which it does, of the labels of its own system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Synchron {
    /// Who moves.
    pub part: NetworkPartId,
    /// With what.
    pub label: LtsLabel,
}

/// A vector: who moves together, and what is seen of it. Who is not named stays.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NetworkVector {
    /// Who moves: in the order of the parts, each once, at least one.
    pub members: Vec<Synchron>,
    /// What is seen, of the labels of the network.
    pub result: LtsLabel,
    /// It does not happen where all members of one of these could move: what priorities come to.
    pub rivals: Vec<Vec<Synchron>>,
}

/// A network. Silent steps of parts are no exception: that they happen by themselves is a vector,
/// `(part, SILENT) -> SILENT`, which [`Network::let_silent_steps_be`] adds.
#[derive(Clone, Debug)]
pub struct Network {
    /// The parts.
    pub parts: IndexVec<NetworkPartId, NetworkPart>,
    /// The vectors.
    pub vectors: IndexVec<NetworkVectorId, NetworkVector>,
    /// The labels that vectors result in.
    pub labels: LabelTable,
}

impl NetworkVector {
    /// A vector without rivals.
    pub fn new(members: Vec<Synchron>, result: LtsLabel) -> NetworkVector {
        NetworkVector { members, result, rivals: Vec::new() }
    }

    /// The label with which a part takes part, if it does.
    pub fn label_of(&self, part: NetworkPartId) -> Option<LtsLabel> {
        let at = self.members.binary_search_by_key(&part, |member| member.part).ok()?;
        Some(self.members[at].label)
    }

    /// Whether it is how a silent step of one part happens by itself.
    pub fn is_free_silence(&self) -> bool {
        let is_silent = matches!(&self.members[..], [member] if member.label.is_silent());
        is_silent && self.result.is_silent() && self.rivals.is_empty()
    }
}

impl Network {
    /// No parts yet.
    pub fn new(labels: LabelTable) -> Network {
        Network { parts: IndexVec::default(), vectors: IndexVec::default(), labels }
    }

    /// Silent steps of a part happen by themselves.
    pub fn let_silent_steps_be(&mut self, part: NetworkPartId) {
        let member = Synchron { part, label: LtsLabel::SILENT };
        self.vectors.push(NetworkVector::new(vec![member], LtsLabel::SILENT));
    }

    /// Whether some vector gives way to others.
    pub fn has_priorities(&self) -> bool {
        self.vectors.iter().any(|vector| !vector.rivals.is_empty())
    }

    /// The vectors that synchronise or rename silent steps, and the parts whose silent steps are cut: what makes a network
    /// not admissible, so that its parts can be reduced by strong bisimilarity only.
    pub fn not_admissible(&self) -> (Vec<NetworkVectorId>, Vec<NetworkPartId>) {
        let speaks =
            |vector: &NetworkVector| vector.members.iter().any(|one| one.label.is_silent());
        let touched = |id: &NetworkVectorId| {
            speaks(&self.vectors[*id]) && !self.vectors[*id].is_free_silence()
        };
        let vectors = self.vectors.ids().filter(touched).collect();
        let is_free = |part: NetworkPartId| {
            let own = |vector: &&NetworkVector| {
                vector.is_free_silence() && vector.label_of(part).is_some()
            };
            self.vectors.iter().find(own).is_some()
        };
        let has_silence = |part: NetworkPartId| self.parts[part].lts.has_silent_steps();
        let cut = self.parts.ids().filter(|part| has_silence(*part) && !is_free(*part)).collect();
        (vectors, cut)
    }

    /// Whether silent steps of parts are neither cut, nor synchronised, nor renamed.
    pub fn is_admissible(&self) -> bool {
        let (vectors, parts) = self.not_admissible();
        vectors.is_empty() && parts.is_empty()
    }
}
