//! What the parts of a net can do, without its hierarchy: trees of vectors with leaves and holes at their ends.
//!
//! Trees are told apart by the heads of all actions in them, and joined by heads, so that only those are made whose
//! actions can fit.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::head::{Head, Heads};
use crate::algebra::{ActionId, TermId, Terms};
use crate::base::Id;
use crate::base::budget::is_spent;
use crate::pnet::{Content, HoleId, HoleSort, NodeId, PNet, PartId, PltsId, VectorId};

/// A way in which something can move.
#[derive(Debug)]
pub(super) enum Tree {
    /// A leaf does an action with this head.
    Leaf(PltsId, Head),
    /// A hole does one.
    Hole(HoleId, Head),
    /// The members of a vector do these, in order.
    Node(NodeId, VectorId, Vec<Arc<Tree>>),
}

/// What something can do, by the head of what it shows.
pub(super) type Offers = IndexMap<Head, Vec<Arc<Tree>>, FxBuildHasher>;

/// Makes trees, each once.
pub(super) struct Flattener<'n> {
    net: &'n PNet,
    known: FxHashMap<Content, Arc<Offers>>,
}

impl<'n> Flattener<'n> {
    /// Nothing is known yet.
    pub fn new(net: &'n PNet) -> Flattener<'n> {
        Flattener { net, known: FxHashMap::default() }
    }

    /// What a part of the hierarchy can do.
    pub fn offers(&mut self, terms: &Terms, content: Content) -> Arc<Offers> {
        if let Some(known) = self.known.get(&content) {
            return known.clone();
        }
        let offers = Arc::new(match content {
            Content::Leaf(leaf) => self.leaf(leaf),
            Content::Hole(hole) => self.hole(hole),
            Content::Node(node) => self.node(terms, node),
        });
        self.known.insert(content, offers.clone());
        offers
    }

    fn leaf(&self, leaf: PltsId) -> Offers {
        let mut offers = Offers::default();
        for transition in &self.net.plts[leaf].transitions {
            let head = Head::of(&self.net.terms, transition.action, &Heads::default());
            let tree = || vec![Arc::new(Tree::Leaf(leaf, head.clone()))];
            offers.entry(head.clone()).or_insert_with(tree);
        }
        offers
    }

    /// What a hole may do: what its sort says, `tau`, and `sync` of each. With the sort `any` these are all actions that
    /// are declared, as many others as there are such holes, and complements, where anything speaks of them.
    fn hole(&self, hole: HoleId) -> Offers {
        let mut heads: Vec<Head> = match &self.net.holes[hole].sort {
            HoleSort::Actions(actions) => actions.iter().map(|&id| Head::Act(id)).collect(),
            HoleSort::Any => {
                let declared = (0..self.net.algebra.actions.len() as u32).map(ActionId);
                let open = self.net.holes.iter().filter(|hole| hole.sort == HoleSort::Any);
                let others = (0..open.count() as u32).map(Head::Other);
                declared.map(Head::Act).chain(others).collect()
            }
        };
        if self.net.holes[hole].sort == HoleSort::Any && self.net.terms.has_complements() {
            let co: Vec<Head> = heads.iter().map(|head| Head::Co(Box::new(head.clone()))).collect();
            heads.extend(co);
        }
        let sync: Vec<Head> = heads.iter().map(|head| Head::Sync(Box::new(head.clone()))).collect();
        heads.push(Head::Tau);
        heads.extend(sync);
        let tree = |head: &Head| vec![Arc::new(Tree::Hole(hole, head.clone()))];
        heads.into_iter().map(|head| (head.clone(), tree(&head))).collect()
    }

    fn node(&mut self, terms: &Terms, node: NodeId) -> Offers {
        let net = self.net;
        let mut offers = Offers::default();
        for (number, vector) in net.nodes[node].vectors.enumerated() {
            let members: Vec<(PartId, TermId)> =
                vector.members.iter().map(|member| (member.part, member.action)).collect();
            for (trees, heads) in self.joined(terms, node, &members, Heads::default()) {
                let head = Head::of(terms, vector.result, &heads);
                offers.entry(head).or_default().push(Arc::new(Tree::Node(node, number, trees)));
            }
            if is_spent() {
                break;
            }
        }
        offers
    }

    /// All ways in which parts of a node can do what is asked of them, with the heads of what variables stand for.
    pub fn joined(
        &mut self,
        terms: &Terms,
        node: NodeId,
        members: &[(PartId, TermId)],
        heads: Heads,
    ) -> Vec<(Vec<Arc<Tree>>, Heads)> {
        let mut found = vec![(Vec::with_capacity(members.len()), heads)];
        for &(part, pattern) in members {
            let offers = self.offers(terms, self.net.nodes[node].parts[part].content);
            let mut next = Vec::new();
            for (trees, heads) in found {
                if is_spent() {
                    return Vec::new();
                }
                extended(terms, &offers, pattern, &trees, &heads, &mut next);
            }
            found = next;
        }
        found
    }
}

fn extended(
    terms: &Terms,
    offers: &Offers,
    pattern: TermId,
    trees: &[Arc<Tree>],
    heads: &Heads,
    found: &mut Vec<(Vec<Arc<Tree>>, Heads)>,
) {
    let mut add = |head: &Head, more: &[Arc<Tree>]| {
        let mut heads = heads.clone();
        if head.fits(terms, pattern, &mut heads) {
            for tree in more {
                let mut trees = trees.to_vec();
                trees.push(tree.clone());
                found.push((trees, heads.clone()));
            }
        }
    };
    let wanted = Head::of(terms, pattern, heads);
    let known = wanted.is_known() && !offers.keys().any(|head| !head.is_known());
    match (known, offers.get(&wanted)) {
        (true, Some(more)) => add(&wanted, more),
        (true, None) => {}
        (false, _) => offers.iter().for_each(|(head, more)| add(head, more)),
    }
}

impl Tree {
    /// The leaves that move, each with the head of its action, in the order of the members.
    pub fn leaves(&self, found: &mut Vec<(PltsId, Head)>) {
        match self {
            Tree::Leaf(leaf, head) => found.push((*leaf, head.clone())),
            Tree::Hole(..) => {}
            Tree::Node(_, _, members) => members.iter().for_each(|tree| tree.leaves(found)),
        }
    }
}

/// The transitions of a leaf with an action of a head, by the states where they start.
pub(super) fn transitions(net: &PNet, leaf: PltsId, head: &Head) -> Vec<Vec<u32>> {
    let plts = &net.plts[leaf];
    let mut found = vec![Vec::new(); plts.states.len()];
    for (number, transition) in plts.transitions.enumerated() {
        if Head::of(&net.terms, transition.action, &Heads::default()) == *head {
            found[transition.source.place()].push(number.0);
        }
    }
    found
}
