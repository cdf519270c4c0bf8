//! Nets without levels: the vectors of all nodes as vectors of leaves. What an outer node makes silent is then silent as soon
//! as the leaves that do it are together, and not only when everything inside is.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::alphabet::FINAL;
use super::marks::{FOUND, Valuation, mark_text};
use super::networks::Silence;
use super::plan::{ComposePlan, NodePlan};
use crate::base::Id;
use crate::base::budget::is_spent;
use crate::explore::Value;
use crate::explore::naive::Instance;
use crate::lts::{LabelTable, Lts, LtsLabel};
use crate::network::{Network, NetworkPart, NetworkPartId, NetworkVector, Synchron};
use crate::pnet::{Content, PartId, PltsId};

/// With more vectors, levels are kept.
const MOST_VECTORS: usize = 1 << 18;

/// Leaves that move together, each with its label, and what is shown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct FlatVector {
    members: Vec<(PltsId, LtsLabel)>,
    result: Value,
}

/// A net without levels.
#[derive(Clone, Debug)]
pub struct FlatPlan {
    /// The leaves with their paths, in the order of the text.
    pub leaves: Vec<(String, PltsId)>,
    vectors: Vec<FlatVector>,
    silence: Silence,
}

impl ComposePlan<'_> {
    /// The net without levels; nothing where vectors give way, or there would be too many of them.
    pub fn flat(&self, silence: Silence) -> Option<FlatPlan> {
        if self.has_priorities() {
            return None;
        }
        let mut made: Vec<(Content, Vec<FlatVector>)> = Vec::new();
        for (_, content) in self.from_below() {
            let vectors = match content {
                Content::Leaf(id) => self.of_leaf(id),
                Content::Node(id) => self.of_node(id, silence, &made)?,
                Content::Hole(_) => return None,
            };
            made.push((content, vectors));
        }
        let vectors = made.pop().map(|(_, vectors)| vectors)?;
        let leaves = self.net.leaves().into_iter();
        let named = |path: String| if path.is_empty() { self.name.clone() } else { path };
        let leaves = leaves.map(|(path, id)| (named(path), id)).collect();
        Some(FlatPlan { leaves, vectors, silence })
    }

    fn of_leaf(&self, id: PltsId) -> Vec<FlatVector> {
        let actions = self.leaves[&id].alphabet.actions();
        let vector = |(label, action): (LtsLabel, &Value)| FlatVector {
            members: vec![(id, label)],
            result: action.clone(),
        };
        actions.map(vector).collect()
    }

    fn of_node(
        &self,
        id: crate::pnet::NodeId,
        silence: Silence,
        made: &[(Content, Vec<FlatVector>)],
    ) -> Option<Vec<FlatVector>> {
        let (node, mut joining) = (&self.nodes[&id], Joining::default());
        for (part, content) in self.net.nodes[id].parts.enumerated() {
            let (_, vectors) = made.iter().find(|(one, _)| *one == content.content)?;
            joining.add(part, vectors, silence);
        }
        for instance in &node.instances {
            joining.join(node, instance, silence)?;
        }
        let mut found = joining.found;
        found.sort();
        found.dedup();
        Some(found)
    }
}

/// The vectors of a node, as they are made of those of its parts.
#[derive(Default)]
struct Joining<'j> {
    by_result: FxHashMap<(PartId, &'j Value), Vec<&'j FlatVector>>,
    found: Vec<FlatVector>,
}

impl<'j> Joining<'j> {
    /// What a part does; silent steps that are free simply happen.
    fn add(&mut self, part: PartId, vectors: &'j [FlatVector], silence: Silence) {
        for vector in vectors {
            if silence == Silence::Free && vector.result.is_silent() {
                self.found.push(vector.clone());
            } else {
                self.by_result.entry((part, &vector.result)).or_default().push(vector);
            }
        }
    }

    fn join(&mut self, node: &NodePlan, instance: &Instance, silence: Silence) -> Option<()> {
        let mut rows: Vec<Vec<(PltsId, LtsLabel)>> = vec![Vec::new()];
        for (part, offer) in &instance.members {
            let action = node.parts[*part].offers.get(*offer);
            if silence == Silence::Free && action.is_silent() {
                return Some(());
            }
            let ways = self.by_result.get(&(*part, action)).map_or(&[][..], Vec::as_slice);
            if is_spent() || rows.len().saturating_mul(ways.len()) > MOST_VECTORS {
                return None;
            }
            let longer = |row: &Vec<(PltsId, LtsLabel)>| {
                let with = |way: &&FlatVector| [row.as_slice(), &way.members].concat();
                ways.iter().map(with).collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        for mut members in rows {
            members.sort_unstable();
            self.found.push(FlatVector { members, result: instance.result.clone() });
        }
        (self.found.len() <= MOST_VECTORS).then_some(())
    }
}

impl FlatPlan {
    /// The network of all leaves, with these systems, whose labels are found by their texts.
    pub fn network(&self, plan: &ComposePlan<'_>, systems: &[Arc<Lts>]) -> Network {
        let places = self.leaves.iter().enumerate();
        let places: BTreeMap<PltsId, usize> = places.map(|(at, (_, id))| (*id, at)).collect();
        let mut making = Making { plan, systems, places, labels: LabelTable::new("tau") };
        let mut vectors: Vec<NetworkVector> =
            self.vectors.iter().filter_map(|vector| making.vector(vector, self.silence)).collect();
        vectors.extend(making.finals());
        vectors.extend(making.marked());
        vectors.sort();
        vectors.dedup();
        let mut network = Network::new(making.labels);
        for ((path, _), lts) in self.leaves.iter().zip(systems) {
            network.parts.push(NetworkPart { name: path.clone(), lts: Arc::clone(lts) });
        }
        network.vectors.extend(vectors);
        if self.silence == Silence::Free {
            network.parts.ids().for_each(|part| network.let_silent_steps_be(part));
        }
        network
    }
}

/// A network that is being made.
struct Making<'m, 'n> {
    plan: &'m ComposePlan<'n>,
    systems: &'m [Arc<Lts>],
    places: BTreeMap<PltsId, usize>,
    labels: LabelTable,
}

impl Making<'_, '_> {
    fn vector(&mut self, vector: &FlatVector, silence: Silence) -> Option<NetworkVector> {
        let text =
            |leaf: &PltsId, label: LtsLabel| self.plan.leaves[leaf].alphabet.table().text(label);
        let is_free = |(leaf, label): &(PltsId, LtsLabel)| {
            let actions = &self.plan.leaves[leaf].alphabet;
            actions.action(*label).is_some_and(Value::is_silent)
        };
        // How a silent step of a leaf happens by itself is said for all at once.
        if silence == Silence::Free && vector.members.iter().any(is_free) {
            return None;
        }
        let member = |(leaf, label): &(PltsId, LtsLabel)| self.synchron(*leaf, text(leaf, *label));
        let mut members: Vec<Synchron> =
            vector.members.iter().map(member).collect::<Option<_>>()?;
        members.sort_unstable();
        let result = match (silence, &vector.result) {
            (Silence::Free, action) if action.is_silent() => LtsLabel::SILENT,
            (_, action) => self.result(action),
        };
        Some(NetworkVector::new(members, result))
    }

    fn synchron(&self, leaf: PltsId, text: &str) -> Option<Synchron> {
        let place = *self.places.get(&leaf)?;
        let label = self.systems.get(place)?.labels().get(text)?;
        Some(Synchron { part: NetworkPartId::at(place), label })
    }

    /// The label of what is shown at the root.
    fn result(&mut self, action: &Value) -> LtsLabel {
        let alphabet = match self.plan.net.root {
            Content::Leaf(id) => self.plan.leaves.get(&id).map(|leaf| &leaf.alphabet),
            Content::Node(id) => self.plan.nodes.get(&id).map(|node| &node.alphabet),
            Content::Hole(_) => None,
        };
        let known = alphabet.and_then(|all| Some(all.table().text(all.get(action)?)));
        known.map_or(LtsLabel::SILENT, |text| self.labels.intern(text))
    }

    /// The vector by which it is seen that all leaves are final.
    fn finals(&mut self) -> Option<NetworkVector> {
        if !self.plan.finals || self.places.is_empty() {
            return None;
        }
        let members = self.places.keys().map(|leaf| self.synchron(*leaf, FINAL));
        let mut members: Vec<Synchron> = members.collect::<Option<_>>()?;
        members.sort_unstable();
        Some(NetworkVector::new(members, self.labels.intern(FINAL)))
    }

    /// The vectors by which it is seen that a property has the value that is looked for.
    fn marked(&mut self) -> Vec<NetworkVector> {
        let Some(marking) = &self.plan.marking else { return Vec::new() };
        let found = self.plan.marks_of(self.plan.net.root).iter();
        let found: Vec<&Valuation> = found.filter(|marks| marking.is_found(marks)).collect();
        let mut vectors = Vec::new();
        for marks in found {
            let member = |(leaf, holds): (&PltsId, &u32)| {
                self.synchron(*leaf, &mark_text(&Valuation::from([(*leaf, *holds)])))
            };
            let members: Option<Vec<Synchron>> = marks.iter().map(member).collect();
            let Some(mut members) = members else { continue };
            members.sort_unstable();
            let result = self.labels.intern(FOUND);
            vectors.push(NetworkVector::new(members, result));
        }
        vectors
    }
}
