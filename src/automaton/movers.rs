//! Who makes the steps of an automaton: the vectors of nodes and the transitions of leaves, with their texts.

use rustc_hash::FxHashMap;

use crate::base::IndexVec;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{
    Content, NodeId, PNet, PltsId, PltsTransitionId, TransitionPlace, VectorId, VectorPlace,
};

/// All vectors and transitions of a net.
#[derive(Clone, Debug, Default)]
pub struct Movers {
    nodes: FxHashMap<NodeId, Node>,
    leaves: FxHashMap<PltsId, Leaf>,
}

#[derive(Clone, Debug)]
struct Node {
    path: String,
    /// Each with its connector.
    vectors: IndexVec<VectorId, (Span, Option<Symbol>, Option<Symbol>)>,
}

#[derive(Clone, Debug)]
struct Leaf {
    path: String,
    transitions: IndexVec<PltsTransitionId, Moving>,
}

/// A vector that moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Joining<'a> {
    /// The path of its node.
    pub path: &'a str,
    /// The connector that it is an interaction of.
    pub connector: Option<Symbol>,
    /// What people call it.
    pub step: Option<Symbol>,
    /// Its text.
    pub text: Span,
}

/// A transition of a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Moving {
    source: Symbol,
    target: Symbol,
    text: Span,
}

/// A part that moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mover<'a> {
    /// Its path.
    pub path: &'a str,
    /// Where it was.
    pub source: Symbol,
    /// Where it is then.
    pub target: Symbol,
    /// The text of its transition.
    pub text: Span,
}

impl Movers {
    /// Those of a net.
    pub fn of(net: &PNet) -> Movers {
        let mut movers = Movers::default();
        net.walk(|path, content| match content {
            Content::Node(id) => {
                movers.nodes.insert(id, node(net, path.to_owned(), id));
            }
            Content::Leaf(id) => {
                movers.leaves.insert(id, leaf(net, path.to_owned(), id));
            }
            Content::Hole(_) => {}
        });
        movers
    }

    /// A vector.
    pub fn vector(&self, (node, vector): VectorPlace) -> Option<Joining<'_>> {
        let node = self.nodes.get(&node)?;
        let &(text, connector, step) = node.vectors.get(vector)?;
        Some(Joining { path: &node.path, connector, step, text })
    }

    /// A transition of a leaf.
    pub fn transition(&self, (leaf, transition): TransitionPlace) -> Option<Mover<'_>> {
        let leaf = self.leaves.get(&leaf)?;
        let &Moving { source, target, text } = leaf.transitions.get(transition)?;
        Some(Mover { path: &leaf.path, source, target, text })
    }
}

fn node(net: &PNet, path: String, id: NodeId) -> Node {
    let vectors = net.nodes[id].vectors.iter().map(|vector| {
        let connector = net.origins.connector(vector.origin);
        let (text, name) = (net.origins.get(vector.origin).span, net.origins.name(vector.origin));
        (text, connector.map(|(_, connector)| connector.name), name)
    });
    Node { path, vectors: vectors.collect() }
}

fn leaf(net: &PNet, path: String, id: PltsId) -> Leaf {
    let plts = &net.plts[id];
    let transitions = plts.transitions.iter().map(|transition| Moving {
        source: plts.states[transition.source].name,
        target: plts.states[transition.target].name,
        text: net.origins.get(transition.origin).span,
    });
    Leaf { path, transitions: transitions.collect() }
}
