//! Priorities as they are written, read from the tree of a model: what the compiler makes of them is not looked at.

use std::collections::{BTreeMap, BTreeSet};

use pnetc::algebra::Term;
use pnetc::model::Checked;
use pnetc::pnet::{NodeId, PNet, PartId, Vector, VectorId, VectorPlace};
use pnetc::syntax::ast::{
    Expr, ExprKind, ItemKind, NetBody, NetStatementKind, Ordered, OrderedKind, Priority,
    PriorityOrder,
};

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
    pairs: Vec<(Meant, Meant)>,
    pub maximal: bool,
}

/// What a priority orders.
#[derive(Clone, Debug, PartialEq)]
enum Meant {
    /// Actions of a name, with some arguments given.
    Named(String, Vec<Option<Value>>),
    Tau,
    /// All but some.
    But(Box<Meant>),
}

impl Meant {
    fn of(ordered: &Ordered, index: Option<(&str, i64)>) -> Option<Meant> {
        match &ordered.kind {
            OrderedKind::Named(name, args) => {
                let args = args.iter().map(|arg| value(arg, index)).collect();
                Some(Meant::Named(name.name.to_string(), args))
            }
            OrderedKind::Tau => Some(Meant::Tau),
            OrderedKind::All => None,
            OrderedKind::Ports(..) => panic!("no random model has a single interaction"),
        }
    }

    fn is(&self, action: &Value) -> bool {
        match self {
            Meant::Tau => *action == Value::Tau,
            Meant::But(one) => !one.is(action),
            Meant::Named(name, args) => {
                let inner = if let Value::Sync(inner) = action { inner } else { action };
                let inner = if let Value::Co(inner) = inner { inner } else { inner };
                let Value::Act(shown, values) = inner else { return false };
                let fits = |(arg, value): (&Option<Value>, &Value)| {
                    arg.as_ref().is_none_or(|arg| arg == value)
                };
                shown == name
                    && (args.is_empty()
                        || args.len() == values.len() && args.iter().zip(values).all(fits))
            }
        }
    }

    /// Whether some action is meant by both; there are actions enough for all others.
    fn meets(&self, other: &Meant) -> bool {
        match (self, other) {
            (Meant::But(_), Meant::But(_)) => true,
            (Meant::But(but), one) | (one, Meant::But(but)) => !but.has_all(one),
            (Meant::Named(x, these), Meant::Named(y, those)) => {
                let fits = these.iter().zip(those).all(|(x, y)| match (x, y) {
                    (Some(x), Some(y)) => x == y,
                    _ => true,
                });
                x == y
                    && (these.is_empty() || those.is_empty() || these.len() == those.len() && fits)
            }
            (one, other) => one == other,
        }
    }

    fn has_all(&self, other: &Meant) -> bool {
        match (self, other) {
            (Meant::Named(x, these), Meant::Named(y, those)) => {
                let fits = these.iter().zip(those).all(|(x, y)| x.is_none() || x == y);
                x == y && (these.is_empty() || these.len() == those.len() && fits)
            }
            (one, other) => one == other,
        }
    }
}

/// An argument; none for `_`.
fn value(arg: &Expr, index: Option<(&str, i64)>) -> Option<Value> {
    match &arg.kind {
        ExprKind::Wildcard => None,
        ExprKind::Bool(value) => Some(Value::Bool(*value)),
        ExprKind::Int(digits) => Some(Value::Int(digits.as_str().parse().expect("a number"))),
        ExprKind::Negate(inner) => match value(inner, index) {
            Some(Value::Int(number)) => Some(Value::Int(-number)),
            other => panic!("{other:?}"),
        },
        ExprKind::Name(name) => match index {
            Some((known, number)) if known == name.as_str() => Some(Value::Int(number)),
            _ => Some(Value::Data(name.as_str(), Vec::new())),
        },
        ExprKind::Call(call) => {
            let fields = call.args.iter().map(|arg| value(arg, index).expect("a field"));
            Some(Value::Data(call.callee.parts[0].name.as_str(), fields.collect()))
        }
        other => panic!("an argument of a priority is {other:?}"),
    }
}

impl Order {
    fn read(&mut self, written: &PriorityOrder) {
        assert!(written.guard.is_none(), "no random model has a guard here");
        let indices: Vec<Option<(&str, i64)>> = match written.repeat.as_slice() {
            [] => vec![None],
            [family] => {
                let end = |expr: &Expr| match value(expr, None) {
                    Some(Value::Int(number)) => number,
                    other => panic!("{other:?}"),
                };
                let (low, high) = (end(&family.range.low), end(&family.range.high));
                (low..high).map(|at| Some((family.index.name.as_str(), at))).collect()
            }
            _ => panic!("one index"),
        };
        for index in indices {
            for pair in written.orders.iter().flat_map(|order| order.windows(2)) {
                let but = |one: &Option<Meant>| Meant::But(Box::new(one.clone().expect("a name")));
                let (low, high) = (Meant::of(&pair[0], index), Meant::of(&pair[1], index));
                let lowest = low.clone().unwrap_or_else(|| but(&high));
                self.pairs.push((lowest, high.unwrap_or_else(|| but(&low))));
            }
        }
    }
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
                    Priority::Order(written) => order.read(written),
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
    /// Whether an action gives way to another.
    pub fn is_below(&self, low: &Value, high: &Value) -> bool {
        let mut work: Vec<usize> =
            (0..self.pairs.len()).filter(|&at| self.pairs[at].0.is(low)).collect();
        let mut reached = work.clone();
        while let Some(at) = work.pop() {
            if self.pairs[at].1.is(high) {
                return true;
            }
            for (next, pair) in self.pairs.iter().enumerate() {
                if self.pairs[at].1.meets(&pair.0) && !reached.contains(&next) {
                    reached.push(next);
                    work.push(next);
                }
            }
        }
        false
    }
}
