//! What a net is made of, as systems and vectors: each leaf by itself, and for each node its vectors with the actions that
//! its parts may do. Nothing is composed yet.

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use super::alone::{Alone, Labels, Seeing};
use super::alphabet::Alphabet;
use super::alphabet::FINAL;
use super::marks::{Marking, Valuation, mark_text};
use crate::base::{IndexVec, Spent, Watch};
use crate::explore::naive::{Instance, Interpreter, OfferId, Offers};
use crate::explore::{Configuration, Domains, Gap, Property, Value};
use crate::lts::Lts;
use crate::network::NotGenerated;
use crate::pnet::{Content, HoleId, NodeId, PNet, PartId, PltsId, path_inside};

/// Why a net is not composed of its parts.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotByParts {
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
    /// A part is too large by itself, and it is not known beforehand what it may do.
    #[error(
        "part `{path}` has more than {most} states by itself, and to make it only as far as its neighbours allow, its actions \
         must be known: {gap}"
    )]
    Later {
        /// The part.
        path: String,
        /// How many states there may be.
        most: usize,
        /// Why its actions are not known.
        gap: Gap,
    },
    /// A property says too much of the leaves of a node.
    #[error(
        "the property says too much of the parts of `{path}` for all combinations to be written out"
    )]
    Marks {
        /// The node.
        path: String,
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
    /// Which of the things that a property says of it may hold.
    pub marks: Vec<Valuation>,
    /// Whether it may do `tau`.
    pub has_tau: bool,
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
    /// Which of the things that a property says of its leaves may hold.
    pub marks: Vec<Valuation>,
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
    /// The property that is looked at.
    pub marking: Option<Marking>,
}

/// How a plan is made.
#[derive(Clone, Copy, Debug)]
pub struct PlanOptions<'o> {
    /// What is seen of leaves, and how large they may be.
    pub seeing: Seeing,
    /// Leaves that are made later, by their paths.
    pub later: &'o [String],
    /// The property that is looked at.
    pub marking: Option<&'o Marking>,
}

/// So many ways in which the things that a property says may hold are written out.
const MOST_MARKS: usize = 4096;

impl<'n> ComposePlan<'n> {
    /// Makes all leaves of a closed net by themselves, and writes out the vectors of all nodes. Leaves that are said to be
    /// made later, by their paths, and those that are too large, are known by their declared actions only.
    pub fn new(
        (net, name): (&'n PNet, &str),
        domains: &Domains,
        options: PlanOptions<'_>,
        watch: &dyn Watch,
    ) -> Result<ComposePlan<'n>, NotByParts> {
        let _here = watch.budget().enter();
        if let Some(hole) = first_hole(net) {
            return Err(NotByParts::Hole { path: net.holes[hole].path.clone() });
        }
        let interpreter = Interpreter::new(net, domains.clone());
        let at = beginning(&interpreter, name)?;
        let PlanOptions { seeing, later, marking } = options;
        let (leaves, nodes) = Default::default();
        let (name, finals, marking) = (name.to_owned(), seeing.finals, marking.cloned());
        let mut plan = ComposePlan { net, name, leaves, nodes, finals, marking };
        for (path, content) in plan.from_below() {
            match content {
                Content::Leaf(id) => {
                    let made = match later.contains(&path) {
                        true => Err(NotGenerated::TooLarge { most: 0 }),
                        false => plan.made(id, domains, seeing, watch),
                    };
                    let leaf = match made {
                        Err(NotGenerated::TooLarge { most }) => plan
                            .declared((&interpreter, &at), id, seeing)
                            .map_err(|gap| NotByParts::Later { path: path.clone(), most, gap })?,
                        made => made.map_err(|why| NotByParts::Part { path, why })?,
                    };
                    plan.leaves.insert(id, leaf);
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

    /// What the whole may show; nothing where nobody has said what it is.
    pub fn alphabet(&self) -> Option<&Alphabet> {
        match self.net.root {
            Content::Leaf(id) => self.leaves.get(&id).map(|leaf| &leaf.alphabet),
            Content::Node(id) => self.nodes.get(&id).map(|node| &node.alphabet),
            Content::Hole(_) => None,
        }
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
            Content::Leaf(id) => {
                self.leaves.get(&id).map(|leaf| Bound::of(&leaf.alphabet, leaf.has_tau))
            }
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
    ) -> Result<NodePlan, NotByParts> {
        let parts = self.net.nodes[id].parts.iter().map(|part| self.bound(part.content));
        let parts: IndexVec<PartId, Bound> = parts.collect();
        let offers = parts.iter().map(|part| part.offers.clone()).collect();
        let instances = match interpreter.instances(id, at, &offers) {
            Ok(instances) => instances,
            Err(gap) => return Err(NotByParts::Vectors { path, gap }),
        };
        let mut alphabet = Alphabet::default();
        for instance in &instances {
            alphabet.label(&self.net.algebra, &instance.result);
        }
        let marks = match self.marks(id) {
            Some(marks) => marks,
            None => return Err(NotByParts::Marks { path }),
        };
        Ok(NodePlan { path, parts, instances, alphabet, marks })
    }

    /// What is known of the leaves of a part.
    pub fn marks_of(&self, content: Content) -> &[Valuation] {
        match content {
            Content::Leaf(id) => self.leaves.get(&id).map(|leaf| leaf.marks.as_slice()),
            Content::Node(id) => self.nodes.get(&id).map(|node| node.marks.as_slice()),
            Content::Hole(_) => None,
        }
        .unwrap_or_default()
    }

    /// All that may be known of the leaves of a node together; nothing where that is too much.
    fn marks(&self, id: NodeId) -> Option<Vec<Valuation>> {
        let mut all: Vec<Valuation> = Vec::new();
        for part in &self.net.nodes[id].parts {
            let marks = self.marks_of(part.content);
            if marks.is_empty() {
                continue;
            }
            let before = if all.is_empty() { vec![Valuation::new()] } else { all };
            if before.len().saturating_mul(marks.len()) > MOST_MARKS {
                return None;
            }
            let both = |one: &Valuation| {
                let with = |more: &Valuation| one.clone().into_iter().chain(more.clone()).collect();
                marks.iter().map(with).collect::<Vec<Valuation>>()
            };
            all = before.iter().flat_map(both).collect();
        }
        Some(all)
    }

    fn made(
        &self,
        leaf: PltsId,
        domains: &Domains,
        seeing: Seeing,
        watch: &dyn Watch,
    ) -> Result<MadeLeaf, NotGenerated> {
        let net = self.net.alone(Content::Leaf(leaf));
        let atoms = self.atoms(leaf);
        let alone = Alone::new(&net, domains, Labels::Met, seeing).showing(leaf, &atoms)?;
        let (lts, alphabet, bytes) = alone.explored(watch)?;
        let is_met = |one: &Valuation| alphabet.table().get(&mark_text(one)).is_some();
        let marks = valuations(leaf, atoms.len()).into_iter().filter(is_met).collect();
        let has_tau = lts.has_silent_steps();
        Ok(MadeLeaf { lts: Some(Arc::new(lts)), alphabet, bytes, marks, has_tau })
    }

    /// What a property says of a leaf.
    pub fn atoms(&self, leaf: PltsId) -> Vec<Property> {
        self.marking.as_ref().map_or_else(Vec::new, |marking| marking.of_leaf(leaf))
    }

    /// A leaf by what its text says, to be made later.
    fn declared(
        &self,
        (interpreter, at): (&Interpreter<'_>, &Configuration),
        leaf: PltsId,
        seeing: Seeing,
    ) -> Result<MadeLeaf, Gap> {
        let mut alphabet = Alphabet::default();
        let mut has_tau = false;
        for action in interpreter.declared(leaf, at)? {
            has_tau |= action == Value::Tau;
            alphabet.label(&self.net.algebra, &action);
        }
        if seeing.finals && self.net.plts[leaf].states.iter().any(|state| state.is_final) {
            alphabet.mark(FINAL);
        }
        let marks = valuations(leaf, self.atoms(leaf).len());
        marks.iter().for_each(|mark| _ = alphabet.mark(&mark_text(mark)));
        Ok(MadeLeaf { lts: None, alphabet, bytes: 0, marks, has_tau })
    }
}

/// All ways in which so many things may hold of a leaf.
fn valuations(leaf: PltsId, atoms: usize) -> Vec<Valuation> {
    match atoms {
        0 => Vec::new(),
        _ => (0..1 << atoms).map(|holds| Valuation::from([(leaf, holds)])).collect(),
    }
}

fn first_hole(net: &PNet) -> Option<HoleId> {
    net.ends().into_iter().find_map(|(_, content)| match content {
        Content::Hole(id) => Some(id),
        Content::Leaf(_) | Content::Node(_) => None,
    })
}

/// The one configuration that a net begins in.
fn beginning(interpreter: &Interpreter<'_>, name: &str) -> Result<Configuration, NotByParts> {
    let path = name.to_owned();
    let initial = match interpreter.initial() {
        Ok(initial) => initial,
        Err(gap) => return Err(NotByParts::Vectors { path, gap }),
    };
    match <[Configuration; 1]>::try_from(initial.configurations) {
        Ok([only]) if !initial.limited => Ok(only),
        Ok(_) => Err(NotByParts::Beginning { path, count: 1 }),
        Err(all) => Err(NotByParts::Beginning { path, count: all.len() }),
    }
}
