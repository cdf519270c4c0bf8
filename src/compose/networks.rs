//! Networks: a node with systems for its parts.

use std::sync::Arc;

use super::alphabet::{Alphabet, FINAL};
use super::marks::{FOUND, Valuation, mark_text};
use super::plan::{ComposePlan, NodePlan};
use crate::base::{Id, IndexVec};
use crate::explore::Value;
use crate::explore::naive::{Instance, Offered};
use crate::lts::{LabelTable, Lts, LtsBuilder, LtsLabel};
use crate::network::{Network, NetworkPart, NetworkPartId, NetworkVector, Synchron};
use crate::pnet::{Content, NodeId, PartId, PltsId, VectorPlace};

/// Whether silent steps count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Silence {
    /// They do: `tau` is one label, and each `sync a` another.
    Counts,
    /// They do not: `tau` and all `sync a` are one label, and happen by themselves. Only where no node observes them.
    Free,
}

/// A silent step of a part that is not free: a vector synchronises or renames it, or none lets it happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedStep {
    /// The part.
    pub part: String,
    /// What it does.
    pub action: String,
    /// The vector; none where it cannot happen at all.
    pub vector: Option<VectorPlace>,
}

impl ComposePlan<'_> {
    /// The silent steps of parts that are not free: what makes the net not admissible. The first of each part.
    pub fn observed(&self) -> Vec<ObservedStep> {
        let mut found = Vec::new();
        for (id, node) in &self.nodes {
            for part in node.parts.ids() {
                found.extend(self.observed_of(*id, node, part));
            }
        }
        found
    }

    fn observed_of(&self, id: NodeId, node: &NodePlan, part: PartId) -> Option<ObservedStep> {
        let bound = &node.parts[part];
        let mut silent = bound.offers.enumerated().filter(|(_, action)| action.is_silent());
        silent.find_map(|(offer, _)| {
            let with = |one: &&Instance| one.members.contains(&(part, offer));
            let mut any = false;
            for instance in node.instances.iter().filter(with) {
                any = true;
                if !is_free(instance) {
                    let vector = Some((id, instance.vector));
                    return Some(self.observation((id, part), &bound.texts[offer], vector));
                }
            }
            (!any).then(|| self.observation((id, part), &bound.texts[offer], None))
        })
    }

    fn observation(
        &self,
        (node, part): (NodeId, PartId),
        action: &str,
        vector: Option<VectorPlace>,
    ) -> ObservedStep {
        ObservedStep { part: self.path_of(node, part), action: action.to_owned(), vector }
    }

    /// Whether some vector gives way to others.
    pub fn has_priorities(&self) -> bool {
        let mut all = self.nodes.values().flat_map(|node| &node.instances);
        all.any(|instance| !instance.rivals.is_empty())
    }

    /// The system of a leaf that was made, with silent steps as they count.
    pub fn leaf(&self, id: PltsId, silence: Silence) -> Option<Arc<Lts>> {
        let leaf = self.leaves.get(&id)?;
        let lts = leaf.lts.as_ref()?;
        match silence {
            Silence::Counts => Some(Arc::clone(lts)),
            Silence::Free => Some(silenced(lts, &leaf.alphabet)),
        }
    }

    /// The network of a node with these systems for its parts, whose labels are found by their texts.
    pub fn network(
        &self,
        id: NodeId,
        systems: &IndexVec<PartId, Arc<Lts>>,
        silence: Silence,
    ) -> Network {
        let node = &self.nodes[&id];
        let mut making = Making { node, systems, silence, labels: LabelTable::new("tau") };
        let vectors = node.instances.iter().filter_map(|instance| making.vector(instance));
        let mut vectors: Vec<NetworkVector> = vectors.collect();
        if self.finals {
            vectors.extend(making.finals(|part| self.has_leaves(id, part)));
        }
        vectors.extend(self.marked(id, &mut making));
        vectors.sort();
        vectors.dedup();
        let mut network = Network::new(making.labels);
        for (part, lts) in systems.enumerated() {
            let name = self.path_of(id, part);
            network.parts.push(NetworkPart { name, lts: Arc::clone(lts) });
        }
        network.vectors.extend(vectors);
        if silence == Silence::Free {
            network.parts.ids().for_each(|part| network.let_silent_steps_be(part));
        }
        network
    }

    /// The vectors by which it is seen what holds of the leaves; at the root, only where that is looked for.
    fn marked(&self, id: NodeId, making: &mut Making<'_>) -> Vec<NetworkVector> {
        let Some(marking) = &self.marking else { return Vec::new() };
        let is_root = self.net.root == Content::Node(id);
        let mut found = Vec::new();
        for marks in &self.nodes[&id].marks {
            if is_root && !marking.is_found(marks) {
                continue;
            }
            let parts = self.net.nodes[id].parts.enumerated();
            let members = parts.filter(|(_, part)| !self.marks_of(part.content).is_empty());
            let member = |(place, part): (PartId, &crate::pnet::Part)| {
                let inside = self.net.inside(part.content).0;
                let own = marks.iter().filter(|(leaf, _)| inside.binary_search(leaf).is_ok());
                let own: Valuation = own.map(|(leaf, holds)| (*leaf, *holds)).collect();
                let label = making.systems[place].labels().get(&mark_text(&own))?;
                Some(Synchron { part: NetworkPartId::at(place.place()), label })
            };
            let members: Option<Vec<Synchron>> = members.map(member).collect();
            let Some(members) = members else { continue };
            let text = if is_root { FOUND.to_owned() } else { mark_text(marks) };
            let result = making.labels.intern(&text);
            found.push(NetworkVector::new(members, result));
        }
        found
    }

    fn has_leaves(&self, node: NodeId, part: PartId) -> bool {
        !self.net.inside(self.net.nodes[node].parts[part].content).0.is_empty()
    }
}

/// Whether a silent step happens by itself, and is silent outside.
fn is_free(instance: &Instance) -> bool {
    instance.members.len() == 1 && instance.result.is_silent() && instance.rivals.is_empty()
}

/// The same with all silent actions under one label. Labels are known by their texts.
pub fn silenced(lts: &Arc<Lts>, alphabet: &Alphabet) -> Arc<Lts> {
    let mut to: IndexVec<LtsLabel, LtsLabel> = lts.labels().ids().collect();
    let mut changes = false;
    for (label, action) in alphabet.actions().filter(|(_, action)| action.is_silent()) {
        let own = lts.labels().get(alphabet.table().text(label));
        if let Some(own) = own.filter(|own| !own.is_silent() && *action != Value::Tau) {
            to[own] = LtsLabel::SILENT;
            changes = true;
        }
    }
    if !changes {
        return Arc::clone(lts);
    }
    let mut builder = LtsBuilder::new(lts.labels().clone());
    builder.reserve(lts.transitions());
    for from in lts.ids() {
        builder.state(from);
        lts.steps(from).iter().for_each(|step| builder.add(from, to[step.label], step.to));
    }
    Arc::new(builder.finish(lts.initial()))
}

/// A network that is being made.
struct Making<'p> {
    node: &'p NodePlan,
    systems: &'p IndexVec<PartId, Arc<Lts>>,
    silence: Silence,
    labels: LabelTable,
}

impl Making<'_> {
    /// A vector; none where a part never does its action, or where it is how a silent step happens by itself.
    fn vector(&mut self, instance: &Instance) -> Option<NetworkVector> {
        let silent =
            |(part, offer): &Offered| self.node.parts[*part].offers.get(*offer).is_silent();
        if self.silence == Silence::Free && instance.members.iter().any(silent) {
            return None;
        }
        let members = self.synchrons(&instance.members)?;
        let rivals = instance.rivals.iter().filter_map(|rival| self.synchrons(rival)).collect();
        let result = self.result(&instance.result);
        Some(NetworkVector { members, result, rivals })
    }

    fn result(&mut self, action: &Value) -> LtsLabel {
        if self.silence == Silence::Free && action.is_silent() {
            return LtsLabel::SILENT;
        }
        match self.node.alphabet.get(action) {
            Some(label) => self.labels.intern(self.node.alphabet.table().text(label)),
            None => LtsLabel::SILENT,
        }
    }

    fn synchrons(&self, members: &[Offered]) -> Option<Vec<Synchron>> {
        let one = |(part, offer): &Offered| {
            let label = self.systems[*part].labels().get(&self.node.parts[*part].texts[*offer])?;
            Some(Synchron { part: NetworkPartId::at(part.place()), label })
        };
        members.iter().map(one).collect()
    }

    /// The vector by which it is seen that all leaves are final.
    fn finals(&mut self, has_leaves: impl Fn(PartId) -> bool) -> Option<NetworkVector> {
        let parts = self.systems.enumerated().filter(|(part, _)| has_leaves(*part));
        let member = |(part, lts): (PartId, &Arc<Lts>)| {
            let label = lts.labels().get(FINAL)?;
            Some(Synchron { part: NetworkPartId::at(part.place()), label })
        };
        let members: Vec<Synchron> = parts.map(member).collect::<Option<_>>()?;
        if members.is_empty() {
            return None;
        }
        let result = self.labels.intern(FINAL);
        Some(NetworkVector::new(members, result))
    }
}
