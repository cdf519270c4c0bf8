//! Priorities: an interaction gives way exactly where a higher one is possible.
//!
//! Whether a part offers an action is a matter of its state, which no guard can see. So a vector that gives way
//! keeps what it gives way to as a [`Rival`]. Orders are transitive: a vector's rivals are those of all names
//! above its own.

use rustc_hash::{FxHashMap, FxHashSet};

use super::build::Builder;
use super::problems::PriorityOnHole;
use super::vector::Made;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::{Composite, Content, Order, Rival, Term, Vector};
use crate::sema::program::NetBlock;

impl<'p> Builder<'p> {
    /// Gives each vector its rivals.
    pub fn priorities(&mut self, block: &'p NetBlock, made: &mut [Made], node: &Composite) {
        if block.priorities.is_empty() && block.maximal.is_none() {
            return;
        }
        let instance = self.origins.get(node.origin).instance;
        let below = block.priorities.iter().map(|(low, high)| Order::Below(low.name, high.name));
        for order in below.chain(block.maximal.map(|_| Order::Maximal)) {
            self.origins.order(instance, order);
        }
        let above = above(block);
        let mut rivals: Vec<Vec<usize>> = vec![Vec::new(); made.len()];
        for (low, one) in made.iter().enumerate() {
            let higher = one.name.and_then(|name| above.get(&name));
            for (high, other) in made.iter().enumerate() {
                let ordered =
                    other.name.is_some_and(|name| higher.is_some_and(|h| h.contains(&name)));
                let larger = block.maximal.is_some()
                    && one.connector.is_some()
                    && one.connector == other.connector
                    && self.is_larger(&other.vector, &one.vector);
                if ordered || larger {
                    rivals[low].push(high);
                }
            }
        }
        let span = block.priorities.first().map(|(low, _)| low.span).or(block.maximal);
        self.give(made, &rivals, node, span.unwrap_or_default(), block);
    }

    fn give(
        &mut self,
        made: &mut [Made],
        rivals: &[Vec<usize>],
        node: &Composite,
        span: Span,
        block: &'p NetBlock,
    ) {
        for (low, rivals) in rivals.iter().enumerate() {
            for &high in rivals {
                if let Some(hole) = self.hole_in(&made[high].vector, node) {
                    let name = |made: &Made| made.name.map(|n| n.to_string()).unwrap_or_default();
                    let (high, low) = (name(&made[high]), name(&made[low]));
                    let named = block
                        .priorities
                        .iter()
                        .find(|(l, h)| l.name.as_str() == low || h.name.as_str() == high);
                    let span = named.map_or(span, |(low, high)| low.span.to(high.span));
                    self.report(PriorityOnHole { span, hole, high, low });
                    return;
                }
                let higher = &made[high].vector;
                let owed = higher.owes.iter().map(|owed| owed.term);
                let guard = self.terms.and([higher.guard].into_iter().chain(owed));
                let rival = Rival {
                    members: higher.members.clone(),
                    guard,
                    variables: higher.variables.clone(),
                };
                made[low].vector.rivals.push(rival);
            }
        }
    }

    /// Whether one interaction has all ports of another, and more.
    fn is_larger(&self, large: &Vector, small: &Vector) -> bool {
        let ports = |vector: &Vector| -> FxHashSet<(usize, Option<u32>)> {
            let port = |member: &crate::pnet::Member| match self.terms.get(member.action) {
                Term::Act(id, _) => (member.part, Some(id.0)),
                _ => (member.part, None),
            };
            vector.members.iter().map(port).collect()
        };
        let (large, small) = (ports(large), ports(small));
        large.len() > small.len() && small.is_subset(&large)
    }

    /// The path of a hole that a member's offer depends on.
    fn hole_in(&self, vector: &Vector, node: &Composite) -> Option<String> {
        let mut work: Vec<Content> =
            vector.members.iter().map(|member| node.parts[member.part].content).collect();
        while let Some(content) = work.pop() {
            match content {
                Content::Leaf(_) => {}
                Content::Hole(id) => return Some(self.hole_path(id)),
                Content::Node(id) => work.extend(self.node_parts(id)),
            }
        }
        None
    }
}

/// For each name, all names that go before it.
fn above(block: &NetBlock) -> FxHashMap<Symbol, FxHashSet<Symbol>> {
    let mut above: FxHashMap<Symbol, FxHashSet<Symbol>> = FxHashMap::default();
    for (start, _) in &block.priorities {
        let mut reached: FxHashSet<Symbol> = FxHashSet::default();
        let mut work = vec![start.name];
        while let Some(name) = work.pop() {
            for (_, high) in block.priorities.iter().filter(|(low, _)| low.name == name) {
                if reached.insert(high.name) {
                    work.push(high.name);
                }
            }
        }
        above.insert(start.name, reached);
    }
    above
}
