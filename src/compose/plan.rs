//! What a net is made of, as systems and vectors: each leaf by itself, and for each node its vectors with the actions that
//! its parts may do. Nothing is composed yet.

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use super::alone::{Alone, Seeing};
use super::alphabet::Alphabet;
use crate::base::{IndexVec, Spent, Watch};
use crate::explore::naive::{Instance, Interpreter, OfferId, Offers};
use crate::explore::{Configuration, Domains, Gap, Value};
use crate::lts::Lts;
use crate::network::NotGenerated;
use crate::pnet::{Content, HoleId, NodeId, PNet, PartId, PltsId, path_inside};

/// Why a net is not composed of its parts.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotComposed {
    /// The budget is spent.
    #[error(transparent)]
    Spent(#[from] Spent),
    /// Nobody has said what stands at a place.
    #[error("`{path}` is a hole, of which nothing is known; fill it")]
    Hole {
        /// The hole.
        path: String,
    },
    /// A part by itself cannot be made.
    #[error("part `{path}`: {why}")]
    Part {
        /// The part.
        path: String,
        /// Why.
        why: NotGenerated,
    },
    /// The vectors of a node cannot be written out.
    #[error("the vectors of `{path}` cannot be written out for the actions of its parts: {gap}")]
    Vectors {
        /// The node.
        path: String,
        /// Why.
        gap: Gap,
    },
    /// The net has no first configuration, or several.
    #[error(
        "`{path}` can begin in {count} configurations, and a network in one: fix what has no value with `--set`"
    )]
    Beginning {
        /// The net.
        path: String,
        /// How many there are.
        count: usize,
    },
}

/// A leaf by itself.
#[derive(Clone, Debug)]
pub struct MadeLeaf {
    /// Its system; none where it is to be made later, under what its neighbours allow.
    pub lts: Option<Arc<Lts>>,
    /// Its labels.
    pub alphabet: Alphabet,
    /// How many bytes its configurations took.
    pub bytes: u64,
}

/// The actions that a part may do, with their texts.
#[derive(Clone, Debug, Default)]
pub struct Bound {
    /// The actions.
    pub offers: Offers,
    /// The text of each.
    pub texts: IndexVec<OfferId, Box<str>>,
}

impl Bound {
    /// What these labels say. `silent`: whether there is a silent step, since there always is a label for it.
    fn of(alphabet: &Alphabet, silent: bool) -> Bound {
        let mut bound = Bound::default();
        let does = |(_, action): &(_, &Value)| silent || **action != Value::Tau;
        for (label, action) in alphabet.actions().filter(does) {
            bound.offers.add(action.clone());
            bound.texts.push(alphabet.table().text(label).into());
        }
        bound
    }
}

/// A node with its vectors written out.
#[derive(Clone, Debug)]
pub struct NodePlan {
    /// What people call it.
    pub path: String,
    /// What its parts may do.
    pub parts: IndexVec<PartId, Bound>,
    /// Its vectors with their actions.
    pub instances: Vec<Instance>,
    /// What it may show.
    pub alphabet: Alphabet,
}

/// A net whose leaves were made by themselves, and whose vectors are written out.
#[derive(Clone, Debug)]
pub struct ComposePlan<'n> {
    /// The net.
    pub net: &'n PNet,
    /// What people call it.
    pub name: String,
    /// Its leaves.
    pub leaves: BTreeMap<PltsId, MadeLeaf>,
    /// Its nodes, also those inside of others.
    pub nodes: BTreeMap<NodeId, NodePlan>,
    /// Whether it is seen where all leaves are final.
    pub finals: bool,
}

impl<'n> ComposePlan<'n> {
    /// Makes all leaves of a closed net by themselves, and writes out the vectors of all nodes.
    pub fn new(
        (net, name): (&'n PNet, &str),
        domains: &Domains,
        seeing: Seeing,
        watch: &dyn Watch,
    ) -> Result<ComposePlan<'n>, NotComposed> {
        let _here = watch.budget().enter();
        if let Some(hole) = first_hole(net) {
            return Err(NotComposed::Hole { path: net.holes[hole].path.clone() });
        }
        let interpreter = Interpreter::new(net, domains.clone());
        let at = beginning(&interpreter, name)?;
        let (leaves, nodes) = Default::default();
        let mut plan =
            ComposePlan { net, name: name.to_owned(), leaves, nodes, finals: seeing.finals };
        for (path, content) in plan.from_below() {
            match content {
                Content::Leaf(id) => {
                    let made = made(net.alone(content), domains, seeing, watch);
                    let made = made.map_err(|why| NotComposed::Part { path, why })?;
                    plan.leaves.insert(id, made);
                }
                Content::Node(id) => {
                    let node = plan.node(id, path, (&interpreter, &at))?;
                    plan.nodes.insert(id, node);
                }
                Content::Hole(_) => {}
            }
        }
        Ok(plan)
    }

    /// Everything in the hierarchy with its path, what stands inside of something before it.
    pub fn from_below(&self) -> Vec<(String, Content)> {
        let mut all = Vec::new();
        self.net.walk(|path, content| {
            let path = if path.is_empty() { self.name.clone() } else { path.to_owned() };
            all.push((path, content));
        });
        all.reverse();
        all
    }

    /// The path of a part of a node.
    pub fn path_of(&self, node: NodeId, part: PartId) -> String {
        let name = self.net.nodes[node].parts[part].name.to_string();
        match self.net.root == Content::Node(node) {
            true => name,
            false => path_inside(&self.nodes[&node].path, &name),
        }
    }

    /// What a part may do.
    fn bound(&self, content: Content) -> Bound {
        match content {
            Content::Leaf(id) => self.leaves.get(&id).map(|leaf| {
                let silent = leaf.lts.as_ref().is_none_or(|lts| lts.has_silent_steps());
                Bound::of(&leaf.alphabet, silent)
            }),
            Content::Node(id) => self.nodes.get(&id).map(|node| {
                let silent = node.instances.iter().any(|one| one.result == Value::Tau);
                Bound::of(&node.alphabet, silent)
            }),
            Content::Hole(_) => None,
        }
        .unwrap_or_default()
    }

    fn node(
        &self,
        id: NodeId,
        path: String,
        (interpreter, at): (&Interpreter<'_>, &Configuration),
    ) -> Result<NodePlan, NotComposed> {
        let parts = self.net.nodes[id].parts.iter().map(|part| self.bound(part.content));
        let parts: IndexVec<PartId, Bound> = parts.collect();
        let offers = parts.iter().map(|part| part.offers.clone()).collect();
        let instances = match interpreter.instances(id, at, &offers) {
            Ok(instances) => instances,
            Err(gap) => return Err(NotComposed::Vectors { path, gap }),
        };
        let mut alphabet = Alphabet::default();
        for instance in &instances {
            alphabet.label(&self.net.algebra, &instance.result);
        }
        Ok(NodePlan { path, parts, instances, alphabet })
    }
}

fn made(
    net: PNet,
    domains: &Domains,
    seeing: Seeing,
    watch: &dyn Watch,
) -> Result<MadeLeaf, NotGenerated> {
    let alone = Alone::new(&net, domains, Alphabet::default(), seeing);
    let (lts, alphabet, bytes) = alone.explored(watch)?;
    Ok(MadeLeaf { lts: Some(Arc::new(lts)), alphabet, bytes })
}

fn first_hole(net: &PNet) -> Option<HoleId> {
    net.ends().into_iter().find_map(|(_, content)| match content {
        Content::Hole(id) => Some(id),
        Content::Leaf(_) | Content::Node(_) => None,
    })
}

/// The one configuration that a net begins in.
fn beginning(interpreter: &Interpreter<'_>, name: &str) -> Result<Configuration, NotComposed> {
    let path = name.to_owned();
    let initial = match interpreter.initial() {
        Ok(initial) => initial,
        Err(gap) => return Err(NotComposed::Vectors { path, gap }),
    };
    match <[Configuration; 1]>::try_from(initial.configurations) {
        Ok([only]) if !initial.limited => Ok(only),
        Ok(_) => Err(NotComposed::Beginning { path, count: 1 }),
        Err(all) => Err(NotComposed::Beginning { path, count: all.len() }),
    }
}
