//! Systems made part by part: leaves are made, restricted and reduced, and composed from the bottom of the hierarchy to its
//! top, each result being reduced before it becomes a part.
//!
//! Claimed: the result preserves what the method says of the whole net. Restriction changes nothing (Lang, RR-5996,
//! Theorem 1). Parts are reduced by a relation that forgets silent steps only where every silent step of a part is free
//! and no vector gives way; otherwise by strong bisimilarity.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::alone::{Alone, Labels, Seeing};
use super::alphabet::Alphabet;
use super::flat::FlatPlan;
use super::method::Method;
use super::networks::{Silence, silenced};
use super::plan::{ComposePlan, NotByParts};
use crate::base::{Id, Watch};
use crate::emit::systems::equivalence;
use crate::explore::Domains;
use crate::lts::{
    Equivalence, LabelTable, Lts, LtsBuilder, LtsState, NotReduced, ReduceLimits, reduce,
};
use crate::network::{
    ComposeLimits, ComposeReport, Network, NetworkPartId, NetworkVector, NotComposed, NotGenerated,
    ProductLimits, RefinedInterface, SystemSize, compose_first, refined_interface, restrict,
};
use crate::outcome::{MadeByParts, NotFree, Stage, StageKind};
use crate::pnet::{Content, NodeId, PltsId};

/// A system that was made part by part.
#[derive(Clone, Debug)]
pub struct ComposedSystem {
    /// The system; silent steps have one label where the method forgets them.
    pub lts: Lts,
    /// The actions of its labels, by their texts.
    pub alphabet: Alphabet,
    /// How it was made.
    pub report: MadeByParts,
    /// What parts were restricted by, with what each is of.
    pub interfaces: Vec<(String, Arc<RefinedInterface>)>,
}

/// A system that was not made, and how far it came.
#[derive(Clone, Debug)]
pub struct PartialSystem {
    /// Why.
    pub why: NotByParts,
    /// What was made.
    pub report: MadeByParts,
    /// The largest system that was made, with what it is of.
    pub best: Option<(String, Arc<Lts>)>,
    /// What is left to be put together, of which part; where silent steps of parts are free, or count in the end.
    pub left: Option<(String, Network)>,
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
        Ok(lts) => {
            let Work { report, interfaces, .. } = work;
            let alphabet = plan.alphabet().cloned().unwrap_or_default();
            Ok(ComposedSystem { lts, alphabet, report, interfaces })
        }
        Err(why) => {
            let Work { report, best, left, .. } = work;
            Err(Box::new(PartialSystem { why, report, best, left }))
        }
    }
}

/// Parts that are put together: all leaves, or those of a node.
enum Level<'l> {
    Flat(&'l FlatPlan),
    Node(NodeId),
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
    report: MadeByParts,
    best: Option<(String, Arc<Lts>)>,
    left: Option<(String, Network)>,
    interfaces: Vec<(String, Arc<RefinedInterface>)>,
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
        let report = MadeByParts {
            relation: equivalence(method.root).to_owned(),
            of_parts: equivalence(by).to_owned(),
            observed: observed.collect(),
            gives_way: method.root.hides() && plan.has_priorities(),
            ..MadeByParts::default()
        };
        Work {
            plan,
            method,
            domains,
            watch,
            silence,
            by,
            leaves: BTreeMap::new(),
            nodes: BTreeMap::new(),
            report,
            best: None,
            left: None,
            interfaces: Vec::new(),
        }
    }

    fn all(&mut self) -> Result<Lts, NotByParts> {
        let plan = self.plan;
        for (path, content) in plan.from_below() {
            if let Content::Leaf(id) = content {
                self.leaf(id, &path);
            }
        }
        let flat = match plan.net.root {
            Content::Node(_) => plan.flat(self.silence),
            Content::Leaf(_) | Content::Hole(_) => None,
        };
        let lts = match flat {
            Some(flat) => Some(self.level(&plan.name, &Level::Flat(&flat))?),
            None => {
                for (path, content) in plan.from_below() {
                    if let Content::Node(id) = content {
                        let made = self.level(&path, &Level::Node(id))?;
                        self.nodes.insert(id, made);
                    }
                }
                self.made(plan.net.root)
            }
        };
        let (Some(mut lts), Some(alphabet)) = (lts, plan.alphabet()) else {
            let why = NotGenerated::TooLarge { most: self.method.most_states };
            return Err(NotByParts::Part { path: plan.name.clone(), why });
        };
        if self.method.root.hides() {
            lts = silenced(&lts, alphabet);
        }
        let small = self.reduced(&plan.name, &lts, self.method.root)?;
        drop(lts);
        Ok(Arc::try_unwrap(small).unwrap_or_else(|shared| Lts::clone(&shared)))
    }

    fn leaf(&mut self, id: PltsId, path: &str) {
        let Some(lts) = self.plan.leaf(id, self.silence) else { return };
        let bytes = self.plan.leaves.get(&id).map(|leaf| leaf.bytes);
        self.stage(StageKind::Leaf, path, &lts, bytes);
        self.leaves.insert(id, lts);
    }

    /// A part that was made.
    fn made(&self, content: Content) -> Option<Arc<Lts>> {
        match content {
            Content::Leaf(id) => self.leaves.get(&id).cloned(),
            Content::Node(id) => self.nodes.get(&id).cloned(),
            Content::Hole(_) => None,
        }
    }

    /// The parts of a level with their paths.
    fn parts(&self, level: &Level<'_>) -> Vec<(String, Content)> {
        match level {
            Level::Flat(flat) => {
                flat.leaves.iter().map(|(path, id)| (path.clone(), Content::Leaf(*id))).collect()
            }
            Level::Node(id) => {
                let parts = self.plan.net.nodes[*id].parts.enumerated();
                parts.map(|(at, part)| (self.plan.path_of(*id, at), part.content)).collect()
            }
        }
    }

    fn network(&self, level: &Level<'_>, systems: &[Arc<Lts>]) -> Network {
        match level {
            Level::Flat(flat) => flat.network(self.plan, systems),
            Level::Node(id) => {
                self.plan.network(*id, &systems.iter().cloned().collect(), self.silence)
            }
        }
    }

    /// The parts of a level put together.
    fn level(&mut self, path: &str, level: &Level<'_>) -> Result<Arc<Lts>, NotByParts> {
        let parts = self.parts(level);
        let later: Vec<usize> =
            (0..parts.len()).filter(|at| self.made(parts[*at].1).is_none()).collect();
        let mut systems: Vec<Arc<Lts>> = parts.iter().map(|(_, part)| self.system(*part)).collect();
        for part in &later {
            let network = self.network(level, &systems);
            systems[*part] = self.restricted(*part, (&parts, &later), &network)?;
        }
        let network = self.network(level, &systems);
        let limits =
            ComposeLimits { most_states: self.method.most_states, ..ComposeLimits::default() };
        match compose_first(&network, self.by, limits, &self.method.first, self.watch) {
            Ok(made) => {
                self.steps((path, parts.len()), &made.report);
                Ok(Arc::new(made.lts))
            }
            Err(failed) => {
                self.steps((path, parts.len()), &failed.report);
                let largest = failed.network.parts.iter().max_by_key(|part| part.lts.states());
                self.best = largest.map(|part| (part.name.clone(), Arc::clone(&part.lts)));
                // Where silent steps count on the way, they have other labels than in the end.
                let same = matches!(self.silence, Silence::Free) || !self.method.root.hides();
                let NotComposed { why, network, .. } = *failed;
                self.left = same.then(|| (path.to_owned(), network));
                match why {
                    NotGenerated::Spent(spent) => Err(spent.into()),
                    why => Err(NotByParts::Part { path: path.to_owned(), why }),
                }
            }
        }
    }

    /// The system of a part; of one that is made later, only the labels.
    fn system(&self, content: Content) -> Arc<Lts> {
        let only_labels = || {
            let table = match content {
                Content::Leaf(id) => self.plan.leaves[&id].alphabet.table().clone(),
                Content::Node(_) | Content::Hole(_) => LabelTable::new("tau"),
            };
            Arc::new(LtsBuilder::new(table).finish(LtsState::at(0)))
        };
        self.made(content).unwrap_or_else(only_labels)
    }

    /// What was done to compose the parts of a node.
    fn steps(&mut self, (path, all): (&str, usize), report: &ComposeReport) {
        for step in &report.steps {
            let of = match step.parts.as_slice() {
                [one] => one.clone(),
                parts if parts.len() == all => path.to_owned(),
                parts => parts.join(" || "),
            };
            let bytes = Some(step.store_bytes as u64);
            let interface = step.interface.iter().map(|one| (of.clone(), Arc::clone(one)));
            self.interfaces.extend(interface);
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

    /// A leaf as far as its neighbours allow.
    fn restricted(
        &mut self,
        part: usize,
        (parts, later): (&[(String, Content)], &[usize]),
        network: &Network,
    ) -> Result<Arc<Lts>, NotByParts> {
        let (path, content) = &parts[part];
        let failed = |why: NotGenerated| NotByParts::Part { path: path.clone(), why };
        let Content::Leaf(leaf) = *content else {
            return Err(failed(NotGenerated::TooLarge { most: 0 }));
        };
        let neighbours = self.neighbours(part, (parts, later), network);
        let by: Vec<String> = neighbours.iter().map(|one| parts[*one].0.clone()).collect();
        let limits = ProductLimits { most_states: self.method.most_states };
        let ids: Vec<NetworkPartId> =
            neighbours.iter().map(|one| NetworkPartId::at(*one)).collect();
        let own = NetworkPartId::at(part);
        let found = refined_interface(network, own, &ids, limits, self.watch).map_err(failed)?;
        let how = StageKind::Interface { by: by.clone() };
        let bytes = found.product.store_bytes as u64;
        self.stage(how, path, &Arc::new(found.interface.lts.clone()), Some(bytes));
        let found = Arc::new(found);
        self.interfaces.push((path.clone(), Arc::clone(&found)));
        let net = self.plan.net.alone(*content);
        let seeing = Seeing { finals: self.plan.finals, most_states: self.method.most_states };
        let labels = Labels::These(self.plan.leaves[&leaf].alphabet.clone(), self.silence);
        let alone = Alone::new(&net, self.domains, labels, seeing);
        let mut alone = alone.showing(leaf, &self.plan.atoms(leaf)).map_err(failed)?;
        let made = restrict(&mut alone, &found.interface, limits, self.watch).map_err(failed)?;
        let bytes = alone.bytes() + made.store_bytes as u64;
        let lts = Arc::new(made.lts);
        self.stage(StageKind::Restricted { by }, path, &lts, Some(bytes));
        Ok(lts)
    }

    /// Who restricts a part: whom the method says, or else the first who is there already and moves together with it.
    fn neighbours(
        &self,
        part: usize,
        (parts, later): (&[(String, Content)], &[usize]),
        network: &Network,
    ) -> Vec<usize> {
        let mut others = (0..parts.len()).filter(|one| *one != part && !later.contains(one));
        let said = self.method.restrict.iter().find(|(restricted, _)| *restricted == parts[part].0);
        let has =
            |vector: &NetworkVector, one: usize| vector.label_of(NetworkPartId::at(one)).is_some();
        let together = |one: &usize| {
            network.vectors.iter().any(|vector| has(vector, part) && has(vector, *one))
        };
        match said {
            Some((_, by)) => others.filter(|one| by.contains(&parts[*one].0)).collect(),
            None => others.find(together).into_iter().collect(),
        }
    }

    /// A system made smaller.
    fn reduced(
        &mut self,
        path: &str,
        lts: &Arc<Lts>,
        by: Equivalence,
    ) -> Result<Arc<Lts>, NotByParts> {
        let limits = ReduceLimits { most_states: self.method.most_states };
        let small = match reduce(Lts::clone(lts), by, limits, self.watch) {
            Ok(small) => small,
            Err(NotReduced::Spent(spent)) => return Err(spent.into()),
            Err(why) => {
                let (path, why) = (path.to_owned(), NotGenerated::NotReduced(why));
                return Err(NotByParts::Part { path, why });
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
