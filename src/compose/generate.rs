//! Systems made part by part: leaves are made, restricted and reduced, and composed from the bottom of the hierarchy to its
//! top, each result being reduced before it becomes a part.
//!
//! Claimed: the result preserves what the method says of the whole net. Restriction changes nothing (Lang, RR-5996,
//! Theorem 1). Parts are reduced by a relation that forgets silent steps only where every silent step of a part is free
//! and no vector gives way; otherwise by strong bisimilarity.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::alone::{Alone, Labels, Seeing};
use super::method::Method;
use super::networks::{Silence, silenced};
use super::plan::{ComposePlan, NotComposed};
use crate::base::{Id, IndexVec, Watch};
use crate::emit::systems::equivalence;
use crate::explore::Domains;
use crate::lts::{Equivalence, Lts, LtsBuilder, LtsState, NotReduced, ReduceLimits, reduce};
use crate::network::{
    ComposeLimits, ComposeReport, NetworkPartId, NotGenerated, ProductLimits, SystemSize,
    compose_first, refined_interface, restrict,
};
use crate::outcome::{Composition, NotFree, Stage, StageKind};
use crate::pnet::{Content, NodeId, PartId, PltsId};

/// A system that was made part by part.
#[derive(Clone, Debug)]
pub struct ComposedSystem {
    /// The system; silent steps have one label where the method forgets them.
    pub lts: Lts,
    /// How it was made.
    pub report: Composition,
}

/// A system that was not made, and how far it came.
#[derive(Clone, Debug)]
pub struct PartialSystem {
    /// Why.
    pub why: NotComposed,
    /// What was made.
    pub report: Composition,
    /// The largest system that was made, with what it is of.
    pub best: Option<(String, Arc<Lts>)>,
}

/// Makes the system of a net part by part. `told`: what a vector is called.
pub fn generate(
    plan: &ComposePlan<'_>,
    method: &Method,
    domains: &Domains,
    watch: &dyn Watch,
    told: &dyn Fn(crate::pnet::VectorPlace) -> String,
) -> Result<ComposedSystem, Box<PartialSystem>> {
    let _here = watch.budget().enter();
    let mut work = Work::new(plan, method, domains, watch, told);
    match work.all() {
        Ok(lts) => Ok(ComposedSystem { lts, report: work.report }),
        Err(why) => Err(Box::new(PartialSystem { why, report: work.report, best: work.best })),
    }
}

struct Work<'w, 'n> {
    plan: &'w ComposePlan<'n>,
    method: &'w Method,
    domains: &'w Domains,
    watch: &'w dyn Watch,
    silence: Silence,
    /// What parts are reduced by.
    by: Equivalence,
    leaves: BTreeMap<PltsId, Arc<Lts>>,
    nodes: BTreeMap<NodeId, Arc<Lts>>,
    report: Composition,
    best: Option<(String, Arc<Lts>)>,
}

impl<'w, 'n> Work<'w, 'n> {
    fn new(
        plan: &'w ComposePlan<'n>,
        method: &'w Method,
        domains: &'w Domains,
        watch: &'w dyn Watch,
        told: &dyn Fn(crate::pnet::VectorPlace) -> String,
    ) -> Work<'w, 'n> {
        let observed = if method.root.hides() { plan.observed() } else { Vec::new() };
        let hides = method.root.hides() && observed.is_empty() && !plan.has_priorities();
        let by = method.of_parts(hides);
        let silence = if hides { Silence::Free } else { Silence::Counts };
        let observed = observed.into_iter().map(|one| NotFree {
            part: one.part,
            action: one.action,
            vector: one.vector.map(told),
        });
        let report = Composition {
            relation: equivalence(method.root).to_owned(),
            of_parts: equivalence(by).to_owned(),
            observed: observed.collect(),
            gives_way: method.root.hides() && plan.has_priorities(),
            ..Composition::default()
        };
        let (leaves, nodes, best) = Default::default();
        Work { plan, method, domains, watch, silence, by, leaves, nodes, report, best }
    }

    fn all(&mut self) -> Result<Lts, NotComposed> {
        let plan = self.plan;
        for (path, content) in plan.from_below() {
            match content {
                Content::Leaf(id) => self.leaf(id, path)?,
                Content::Node(id) => self.node(id, path)?,
                Content::Hole(_) => {}
            }
        }
        let (lts, alphabet) = match plan.net.root {
            Content::Leaf(id) => {
                (self.leaves.remove(&id), plan.leaves.get(&id).map(|leaf| &leaf.alphabet))
            }
            Content::Node(id) => {
                (self.nodes.remove(&id), plan.nodes.get(&id).map(|node| &node.alphabet))
            }
            Content::Hole(_) => (None, None),
        };
        let (Some(mut lts), Some(alphabet)) = (lts, alphabet) else {
            let path = plan.name.clone();
            return Err(NotComposed::Part {
                path,
                why: NotGenerated::TooLarge { most: self.method.most_states },
            });
        };
        if self.method.root.hides() {
            lts = silenced(&lts, alphabet);
        }
        let small = self.reduced(&plan.name, &lts, self.method.root)?;
        drop(lts);
        Ok(Arc::try_unwrap(small).unwrap_or_else(|shared| Lts::clone(&shared)))
    }

    fn leaf(&mut self, id: PltsId, path: String) -> Result<(), NotComposed> {
        let Some(lts) = self.plan.leaf(id, self.silence) else { return Ok(()) };
        let bytes = self.plan.leaves.get(&id).map(|leaf| leaf.bytes);
        self.stage(StageKind::Leaf, &path, &lts, bytes);
        self.leaves.insert(id, lts);
        Ok(())
    }

    fn node(&mut self, id: NodeId, path: String) -> Result<(), NotComposed> {
        let mut systems = self.systems(id);
        for part in self.later(id) {
            let lts = self.restricted(id, part, &systems)?;
            systems[part] = lts;
        }
        let network = self.plan.network(id, &systems, self.silence);
        let limits =
            ComposeLimits { most_states: self.method.most_states, ..ComposeLimits::default() };
        match compose_first(&network, self.by, limits, &self.method.first, self.watch) {
            Ok(made) => {
                self.steps(&path, &made.report);
                self.nodes.insert(id, Arc::new(made.lts));
                Ok(())
            }
            Err(failed) => {
                self.steps(&path, &failed.report);
                let largest = failed.network.parts.iter().max_by_key(|part| part.lts.states());
                self.best = largest.map(|part| (part.name.clone(), Arc::clone(&part.lts)));
                match failed.why {
                    NotGenerated::Spent(spent) => Err(spent.into()),
                    why => Err(NotComposed::Part { path, why }),
                }
            }
        }
    }

    /// What was done to compose the parts of a node.
    fn steps(&mut self, path: &str, report: &ComposeReport) {
        for step in &report.steps {
            let of = match step.parts.as_slice() {
                [one] => one.clone(),
                parts if parts.len() == self.most_parts(path) => path.to_owned(),
                parts => parts.join(" || "),
            };
            let bytes = Some(step.store_bytes as u64);
            let how = match &step.interface {
                Some(interface) => StageKind::Restricted {
                    by: interface.neighbours.iter().map(|one| one.name.clone()).collect(),
                },
                None if step.parts.len() == 1 => StageKind::Leaf,
                None => StageKind::Product,
            };
            let SystemSize { states, transitions } = step.generated;
            // A part by itself was told before.
            if how != StageKind::Leaf {
                self.report.add(Stage { how, of: of.clone(), states, transitions, bytes });
            }
            if step.reduced != step.generated {
                let SystemSize { states, transitions } = step.reduced;
                let how = StageKind::Reduced { by: equivalence(step.by).to_owned() };
                self.report.add(Stage { how, of, states, transitions, bytes: None });
            }
        }
    }

    /// How many parts what is composed to a node has in all.
    fn most_parts(&self, path: &str) -> usize {
        let node = self.plan.nodes.values().find(|node| node.path == path);
        node.map_or(0, |node| node.parts.len())
    }

    /// The systems of the parts of a node; of those that are made later, only the labels.
    fn systems(&self, id: NodeId) -> IndexVec<PartId, Arc<Lts>> {
        let parts = self.plan.net.nodes[id].parts.iter();
        let system = |content: Content| match content {
            Content::Leaf(id) => self.leaves.get(&id).cloned(),
            Content::Node(id) => self.nodes.get(&id).cloned(),
            Content::Hole(_) => None,
        };
        let only_labels = |content: Content| {
            let table = match content {
                Content::Leaf(id) => self.plan.leaves[&id].alphabet.table().clone(),
                _ => crate::lts::LabelTable::new("tau"),
            };
            Arc::new(LtsBuilder::new(table).finish(LtsState::at(0)))
        };
        parts
            .map(|part| system(part.content).unwrap_or_else(|| only_labels(part.content)))
            .collect()
    }

    /// The parts of a node that are made under what their neighbours allow.
    fn later(&self, id: NodeId) -> Vec<PartId> {
        let parts = self.plan.net.nodes[id].parts.enumerated();
        let is_later = |content: Content| match content {
            Content::Leaf(id) => !self.leaves.contains_key(&id),
            Content::Node(_) | Content::Hole(_) => false,
        };
        parts.filter(|(_, part)| is_later(part.content)).map(|(id, _)| id).collect()
    }

    /// A leaf as far as its neighbours allow.
    fn restricted(
        &mut self,
        node: NodeId,
        part: PartId,
        systems: &IndexVec<PartId, Arc<Lts>>,
    ) -> Result<Arc<Lts>, NotComposed> {
        let path = self.plan.path_of(node, part);
        let content = self.plan.net.nodes[node].parts[part].content;
        let Content::Leaf(leaf) = content else {
            return Err(NotComposed::Part { path, why: NotGenerated::TooLarge { most: 0 } });
        };
        let failed = |why: NotGenerated| NotComposed::Part { path: path.clone(), why };
        let neighbours = self.neighbours(node, part, &path);
        let by: Vec<String> = neighbours.iter().map(|one| self.plan.path_of(node, *one)).collect();
        let network = self.plan.network(node, systems, self.silence);
        let limits = ProductLimits { most_states: self.method.most_states };
        let ids: Vec<NetworkPartId> =
            neighbours.iter().map(|one| NetworkPartId::at(one.place())).collect();
        let own = NetworkPartId::at(part.place());
        let found = refined_interface(&network, own, &ids, limits, self.watch).map_err(failed)?;
        let how = StageKind::Interface { by: by.clone() };
        let bytes = found.product.store_bytes as u64;
        self.stage(how, &path, &Arc::new(found.interface.lts.clone()), Some(bytes));
        let net = self.plan.net.alone(content);
        let seeing = Seeing { finals: self.plan.finals, most_states: self.method.most_states };
        let labels = Labels::These(self.plan.leaves[&leaf].alphabet.clone(), self.silence);
        let alone = Alone::new(&net, self.domains, labels, seeing);
        let mut alone = alone.showing(leaf, &self.plan.atoms(leaf)).map_err(failed)?;
        let made = restrict(&mut alone, &found.interface, limits, self.watch).map_err(failed)?;
        let bytes = alone.bytes() + made.store_bytes as u64;
        let lts = Arc::new(made.lts);
        self.stage(StageKind::Restricted { by }, &path, &lts, Some(bytes));
        self.reduced(&path, &lts, self.by)
    }

    /// Who restricts a part: whom the method says, or else all who are there already and move together with it.
    fn neighbours(&self, node: NodeId, part: PartId, path: &str) -> Vec<PartId> {
        let later = self.later(node);
        let parts = self.plan.net.nodes[node].parts.ids();
        let mut others = parts.filter(|one| *one != part && !later.contains(one));
        let said = self.method.restrict.iter().find(|(restricted, _)| restricted == path);
        match said {
            Some((_, by)) => {
                others.filter(|one| by.contains(&self.plan.path_of(node, *one))).collect()
            }
            None => {
                let instances = &self.plan.nodes[&node].instances;
                let has =
                    |members: &[(PartId, _)], one: PartId| members.iter().any(|(id, _)| *id == one);
                let together = |one: &PartId| {
                    instances.iter().any(|all| has(&all.members, part) && has(&all.members, *one))
                };
                others.find(together).into_iter().collect()
            }
        }
    }

    /// A system made smaller.
    fn reduced(
        &mut self,
        path: &str,
        lts: &Arc<Lts>,
        by: Equivalence,
    ) -> Result<Arc<Lts>, NotComposed> {
        let limits = ReduceLimits { most_states: self.method.most_states };
        let small = match reduce(Lts::clone(lts), by, limits, self.watch) {
            Ok(small) => small,
            Err(NotReduced::Spent(spent)) => return Err(spent.into()),
            Err(why) => {
                let (path, why) = (path.to_owned(), NotGenerated::NotReduced(why));
                return Err(NotComposed::Part { path, why });
            }
        };
        let small = Arc::new(small);
        if (small.states(), small.transitions()) != (lts.states(), lts.transitions()) {
            let by = equivalence(by).to_owned();
            self.stage(StageKind::Reduced { by }, path, &small, None);
        }
        Ok(small)
    }

    fn stage(&mut self, how: StageKind, of: &str, lts: &Arc<Lts>, bytes: Option<u64>) {
        let is_larger = |(_, best): &(String, Arc<Lts>)| best.states() <= lts.states();
        let is_result = !matches!(how, StageKind::Interface { .. });
        if is_result && self.best.as_ref().is_none_or(is_larger) {
            self.best = Some((of.to_owned(), Arc::clone(lts)));
        }
        let (states, transitions) = (lts.states(), lts.transitions());
        self.report.add(Stage { how, of: of.to_owned(), states, transitions, bytes });
        self.watch.searching(&format!("{of}: {states} states"), 0);
    }
}
