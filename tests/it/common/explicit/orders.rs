//! Priorities as they are written, read from the tree of a model: what the compiler makes of them is not looked at.

use std::collections::{BTreeMap, BTreeSet};

use pnetc::algebra::Term;
use pnetc::model::Checked;
use pnetc::pnet::{NodeId, PNet, PartId, Vector, VectorId, VectorPlace};
use pnetc::syntax::ast::{ItemKind, NetBody, NetStatementKind, Priority};

use super::Value;

/// The priorities of a model, by its nets.
#[derive(Debug, Default)]
pub struct Orders {
    nets: BTreeMap<String, Order>,
    /// The vectors that come from connectors.
    connectors: BTreeSet<VectorPlace>,
}

/// The priorities of one net.
#[derive(Debug, Default)]
pub struct Order {
    pairs: Vec<(String, String)>,
    pub maximal: bool,
}

impl Orders {
    /// The priorities of `written`, for a net that was built from `checked`, the same model without them.
    pub fn of(written: &Checked, checked: &Checked, net: &PNet) -> Orders {
        let mut orders = Orders::default();
        for item in &written.tree.items {
            let ItemKind::Net(decl) = &item.kind else { continue };
            let NetBody::Block(statements) = &decl.body else { continue };
            let order = orders.nets.entry(decl.name.name.to_string()).or_default();
            for statement in statements {
                let NetStatementKind::Priority(priority) = &statement.kind else { continue };
                match &**priority {
                    Priority::Maximal => order.maximal = true,
                    Priority::Order(chains) => {
                        for pair in chains.iter().flat_map(|chain| chain.windows(2)) {
                            let names = (pair[0].name.to_string(), pair[1].name.to_string());
                            order.pairs.push(names);
                        }
                    }
                }
            }
        }
        for (number, node) in net.nodes.enumerated() {
            for (place, vector) in node.vectors.enumerated() {
                let span = net.origins.get(vector.origin).span;
                if checked.sources.text(span).starts_with("connect") {
                    orders.connectors.insert((number, place));
                }
            }
        }
        orders
    }

    /// The priorities of a net; nothing where it has none.
    pub fn order(&self, net: &str) -> Option<&Order> {
        self.nets.get(net).filter(|order| order.maximal || !order.pairs.is_empty())
    }

    /// Whether one vector is an interaction with all ports of another and more, of connectors with one name.
    pub fn is_larger(&self, net: &PNet, node: NodeId, large: VectorId, small: VectorId) -> bool {
        let vectors = &net.nodes[node].vectors;
        let (one, other) = (&vectors[large], &vectors[small]);
        let both = [large, small].iter().all(|&at| self.connectors.contains(&(node, at)));
        let name = |vector: &Vector| match net.terms.get(vector.result) {
            Term::Act(id, _) => Some(net.algebra.action(*id).name.as_str()),
            _ => None,
        };
        let ports = |vector: &Vector| -> BTreeSet<(PartId, u32)> {
            let port = |member: &pnetc::pnet::Member| match net.terms.get(member.action) {
                Term::Act(id, _) => (member.part, id.0),
                other => panic!("a port is {other:?}"),
            };
            vector.members.iter().map(port).collect()
        };
        both && name(one) == name(other)
            && ports(one).len() > ports(other).len()
            && ports(other).is_subset(&ports(one))
    }
}

impl Order {
    /// Whether actions of the first name give way to those of the second.
    pub fn is_below(&self, low: &str, high: &str) -> bool {
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        let mut work = vec![low];
        while let Some(at) = work.pop() {
            for (_, above) in self.pairs.iter().filter(|(below, _)| below == at) {
                if reached.insert(above) {
                    work.push(above);
                }
            }
        }
        reached.contains(high)
    }
}

/// The name by which a priority knows an action.
pub fn name(action: &Value) -> Option<&'static str> {
    let inner = if let Value::Sync(inner) = action { inner } else { action };
    let inner = if let Value::Co(inner) = inner { inner } else { inner };
    match inner {
        Value::Act(name, _) => Some(name),
        _ => None,
    }
}
