//! A net in parts: one with open holes, and what fills some of them.

use std::collections::BTreeMap;

use super::{Content, HoleId, LeafId, NodeId, PNet, PltsId, StateVariableId};
use crate::base::{Id, IndexVec};

/// A net, and the nets that fill some of its holes. Filling them gives the whole.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The net with its holes open.
    pub net: PNet,
    /// What fills some of them, in the order of the holes.
    pub fillings: Vec<(HoleId, Parts)>,
}

impl Parts {
    /// The nets of all parts.
    pub fn all(&self) -> impl Iterator<Item = &PNet> {
        let mut work = vec![self];
        std::iter::from_fn(move || {
            let part = work.pop()?;
            work.extend(part.fillings.iter().map(|(_, part)| part));
            Some(&part.net)
        })
    }
}

/// Where a hole stands in the hierarchy of its net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The path of the part that it is.
    pub path: String,
    /// The first leaf that comes after it.
    pub leaf: LeafId,
    /// The first variable of a leaf that comes after it.
    pub variable: StateVariableId,
}

/// A path inside another; each may be empty.
pub fn path_inside(path: &str, inside: &str) -> String {
    match (path, inside) {
        ("", inside) => inside.to_owned(),
        (path, "") => path.to_owned(),
        (path, inside) => format!("{path}.{inside}"),
    }
}

/// Where each leaf of a net stands: in which part of the root, and the way from there.
pub fn leaves_of_parts(net: &PNet) -> BTreeMap<PltsId, (usize, String)> {
    let mut found = BTreeMap::new();
    let Content::Node(root) = net.root else { return found };
    let parts = net.nodes[root].parts.iter().enumerate();
    let mut work: Vec<(Content, usize, String)> =
        parts.map(|(at, part)| (part.content, at, String::new())).collect();
    while let Some((content, at, path)) = work.pop() {
        match content {
            Content::Leaf(leaf) => _ = found.insert(leaf, (at, path)),
            Content::Node(node) => {
                let parts = net.nodes[node].parts.iter();
                work.extend(
                    parts
                        .map(|part| (part.content, at, path_inside(&path, &part.name.to_string()))),
                );
            }
            Content::Hole(_) => {}
        }
    }
    found
}

impl PNet {
    /// Everything at the ends of the hierarchy, leaves and holes, with their paths and in order.
    pub fn ends(&self) -> Vec<(String, Content)> {
        let mut found = Vec::new();
        self.walk(|path, content| {
            if !matches!(content, Content::Node(_)) {
                found.push((path.to_owned(), content));
            }
        });
        found
    }

    /// Visits everything in the hierarchy, each with its path from the root, in order.
    pub fn walk(&self, mut visit: impl FnMut(&str, Content)) {
        let mut work = vec![(String::new(), self.root)];
        while let Some((path, content)) = work.pop() {
            visit(&path, content);
            let Content::Node(id) = content else { continue };
            for part in self.nodes[id].parts.iter().rev() {
                work.push((path_inside(&path, &part.name.to_string()), part.content));
            }
        }
    }

    /// The leaves with their paths, in order.
    pub fn leaves(&self) -> IndexVec<LeafId, (String, PltsId)> {
        let leaf = |(path, content)| match content {
            Content::Leaf(id) => Some((path, id)),
            Content::Node(_) | Content::Hole(_) => None,
        };
        self.ends().into_iter().filter_map(leaf).collect()
    }

    /// Where a hole stands.
    pub fn place(&self, hole: HoleId) -> Option<Place> {
        let (mut leaves, mut variables) = (0, 0);
        for (path, content) in self.ends() {
            match content {
                Content::Hole(id) if id == hole => {
                    return Some(Place {
                        path,
                        leaf: LeafId::at(leaves),
                        variable: StateVariableId::at(variables),
                    });
                }
                Content::Leaf(id) => {
                    leaves += 1;
                    variables += self.plts[id].variables.len();
                }
                Content::Hole(_) | Content::Node(_) => {}
            }
        }
        None
    }
}

impl PNet {
    /// A part of the hierarchy as a net of its own: only what stands in it, in the same order. Terms, sorts and texts are
    /// those of the whole.
    pub fn alone(&self, content: Content) -> PNet {
        let (leaves, nodes) = self.inside(content);
        let placed = |content: Content| match content {
            Content::Leaf(id) => {
                leaves.binary_search(&id).map_or(content, |place| Content::Leaf(PltsId::at(place)))
            }
            Content::Node(id) => {
                nodes.binary_search(&id).map_or(content, |place| Content::Node(NodeId::at(place)))
            }
            Content::Hole(_) => content,
        };
        let node = |id: &NodeId| {
            let mut node = self.nodes[*id].clone();
            node.parts.iter_mut().for_each(|part| part.content = placed(part.content));
            node
        };
        PNet {
            name: self.name,
            algebra: self.algebra.clone(),
            terms: self.terms.clone(),
            plts: leaves.iter().map(|id| self.plts[*id].clone()).collect(),
            nodes: nodes.iter().map(node).collect(),
            holes: self.holes.clone(),
            root: placed(content),
            origins: self.origins.clone(),
            premises: Vec::new(),
            granted: self.granted.clone(),
        }
    }

    /// The leaves and nodes that stand in a part, in the order of their ids.
    pub fn inside(&self, content: Content) -> (Vec<PltsId>, Vec<NodeId>) {
        let (mut leaves, mut nodes, mut work) = (Vec::new(), Vec::new(), vec![content]);
        while let Some(content) = work.pop() {
            match content {
                Content::Leaf(id) => leaves.push(id),
                Content::Node(id) => {
                    nodes.push(id);
                    work.extend(self.nodes[id].parts.iter().map(|part| part.content));
                }
                Content::Hole(_) => {}
            }
        }
        leaves.sort_unstable();
        nodes.sort_unstable();
        (leaves, nodes)
    }
}
