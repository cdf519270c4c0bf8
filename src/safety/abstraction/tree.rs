//! The tree of cells that were reached, and which of them are covered by others.
//!
//! Claim: a node that is covered has a node at the same place whose region says no more, and that is neither covered itself
//! nor taken away when the covering is made. Whoever takes a node away has those that it covered looked at again. So, when
//! nothing is left to look at, the cells that are not covered are closed under what was done with them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::place::{Move, Place};
use super::predicate::{Cell, Region};
use crate::base::IndexVec;
use crate::safety::InteractionId;
use crate::tagged_id;

tagged_id! {
    /// A node of the tree.
    NodeId
}

/// What has been done with a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    /// Nothing yet.
    Waiting,
    /// Only what can be done together was done: the rest can wait.
    Partly,
    /// All that can follow is there.
    Done,
    /// Another node says less.
    Covered(NodeId),
    /// It is no part of the tree any more.
    Gone,
}

/// A cell that was reached.
#[derive(Debug)]
pub(super) struct Node {
    pub cell: Cell,
    /// Where it comes from, and by which moves, one after the other.
    pub parent: Option<(NodeId, Rc<[Move]>)>,
    pub children: Vec<NodeId>,
    pub status: Status,
    /// The interactions that were done together, where there are some.
    pub together: Vec<InteractionId>,
    depth: u32,
}

/// The tree.
#[derive(Default)]
pub(super) struct Tree {
    pub nodes: IndexVec<NodeId, Node>,
    by_place: FxHashMap<Place, Vec<NodeId>>,
    waiting: BinaryHeap<Reverse<(u32, NodeId)>>,
    covers: FxHashMap<NodeId, Vec<NodeId>>,
}

impl Tree {
    /// One more node, to be looked at.
    pub fn add(&mut self, cell: Cell, parent: Option<(NodeId, Rc<[Move]>)>) -> NodeId {
        let depth = match &parent {
            Some((parent, moves)) => self.nodes[*parent].depth + moves.len() as u32,
            None => 0,
        };
        let place = cell.place.clone();
        let from = parent.as_ref().map(|(from, _)| *from);
        let (status, children, together) = (Status::Waiting, Vec::new(), Vec::new());
        let id = self.nodes.push(Node { cell, parent, children, status, together, depth });
        if let Some(from) = from {
            self.nodes[from].children.push(id);
        }
        self.by_place.entry(place).or_default().push(id);
        self.waiting.push(Reverse((depth, id)));
        id
    }

    /// The next node to be looked at: the least deep.
    pub fn next(&mut self) -> Option<NodeId> {
        while let Some(Reverse((_, id))) = self.waiting.pop() {
            if self.nodes[id].status == Status::Waiting {
                return Some(id);
            }
        }
        None
    }

    /// Has a node looked at once more.
    pub fn again(&mut self, id: NodeId) {
        self.nodes[id].status = Status::Waiting;
        self.waiting.push(Reverse((self.nodes[id].depth, id)));
    }

    /// Covers a node with another one, if there is one that says no more.
    pub fn cover(&mut self, id: NodeId) -> bool {
        let cell = &self.nodes[id].cell;
        let here = self.by_place.get(&cell.place).map_or(&[][..], Vec::as_slice);
        let can = |&other: &NodeId| {
            let node = &self.nodes[other];
            let is_there = matches!(node.status, Status::Waiting | Status::Partly | Status::Done);
            other != id && is_there && is_within(&node.cell.region, &cell.region)
        };
        let Some(by) = here.iter().copied().find(can) else { return false };
        self.nodes[id].status = Status::Covered(by);
        self.covers.entry(by).or_default().push(id);
        true
    }

    /// Takes away all that follows from a node, and has it looked at again.
    pub fn cut(&mut self, id: NodeId) {
        let mut work = std::mem::take(&mut self.nodes[id].children);
        let mut uncovered = self.covers.remove(&id).unwrap_or_default();
        while let Some(one) = work.pop() {
            let node = &mut self.nodes[one];
            work.append(&mut node.children);
            node.status = Status::Gone;
            uncovered.extend(self.covers.remove(&one).unwrap_or_default());
            let place = self.nodes[one].cell.place.clone();
            if let Some(here) = self.by_place.get_mut(&place) {
                here.retain(|other| *other != one);
            }
        }
        self.again(id);
        for one in uncovered {
            if matches!(self.nodes[one].status, Status::Covered(_)) {
                self.again(one);
            }
        }
    }

    /// How a node was reached: the nodes from the first one on, each with the moves that lead on.
    pub fn path(&self, id: NodeId) -> Vec<(NodeId, Rc<[Move]>)> {
        let mut found = Vec::new();
        let mut at = id;
        while let Some((parent, moves)) = &self.nodes[at].parent {
            found.push((*parent, Rc::clone(moves)));
            at = *parent;
        }
        found.reverse();
        found
    }

    /// Has all nodes looked at again from which not every interaction was done by itself; whether there are any.
    pub fn complete(&mut self) -> bool {
        let is_full = |node: &Node| {
            let by_itself = |child: &NodeId| match &self.nodes[*child].parent {
                Some((_, moves)) => moves.len() == 1,
                None => false,
            };
            node.status == Status::Done && node.children.iter().all(by_itself)
        };
        let counts = |node: &Node| matches!(node.status, Status::Partly | Status::Done);
        let open = self.nodes.enumerated().filter(|(_, node)| counts(node) && !is_full(node));
        let open: Vec<NodeId> = open.map(|(id, _)| id).collect();
        open.iter().for_each(|&id| self.again(id));
        !open.is_empty()
    }

    /// Whether a move by itself has been done from a node.
    pub fn is_done(&self, id: NodeId, one: &Move) -> bool {
        self.nodes[id].children.iter().any(|&child| match &self.nodes[child].parent {
            Some((_, moves)) => **moves == [one.clone()],
            None => false,
        })
    }

    /// The cells that count: those of nodes that are there and not covered.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        let counts = |node: &&Node| !matches!(node.status, Status::Gone | Status::Covered(_));
        self.nodes.iter().filter(counts).map(|node| &node.cell)
    }
}

/// Whether all literals of one region are in another one.
fn is_within(one: &Region, other: &Region) -> bool {
    one.len() <= other.len() && one.iter().all(|literal| other.binary_search(literal).is_ok())
}
