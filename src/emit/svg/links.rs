//! Who talks to whom: the parts of a node that share a vector, and the connectors with their triggers.

use std::collections::BTreeMap;

use crate::diagnostics::Span;
use crate::emit::label;
use crate::pnet::{Composite, ConnectorId, Joined, Order, PNet, PartId};

use super::parts::Slot;

/// What joins parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::emit) struct Link {
    /// The connector; none for vectors.
    pub(in crate::emit) name: Option<String>,
    /// What it joins.
    pub(in crate::emit) ends: Vec<End>,
    /// What it does, a line for each vector.
    pub(in crate::emit) told: Vec<String>,
    /// The text that it comes from, where that is known.
    pub(in crate::emit) text: Option<Span>,
    /// Whether nothing moves by it: a name is passed to what a rule describes.
    pub(in crate::emit) passes: bool,
}

/// An end of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::emit) enum End {
    /// A part; whether it is a trigger, where there are any.
    Part(PartId, Option<bool>),
    /// A connector inside: whether it is a trigger, its name if it has one, and what it joins.
    Group(bool, Option<String>, Vec<End>),
}

impl Link {
    /// The parts that it joins, in order.
    pub(in crate::emit) fn parts(&self) -> Vec<PartId> {
        let mut found = Vec::new();
        let mut work: Vec<&End> = self.ends.iter().collect();
        while let Some(end) = work.pop() {
            match end {
                End::Part(part, _) => found.push(*part),
                End::Group(_, _, ends) => work.extend(ends),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether it is a line between two parts and nothing else.
    pub(in crate::emit) fn is_plain(&self) -> bool {
        self.name.is_none() && self.ends.len() == 2
    }
}

/// What joins the parts of a node that are drawn.
pub(in crate::emit) fn links(net: &PNet, node: &Composite, slots: &[Slot]) -> Vec<Link> {
    let drawn = |part: PartId| slots.contains(&Slot::Part(part));
    let mut found: Vec<Link> = Vec::new();
    let mut known: BTreeMap<(Option<ConnectorId>, Vec<PartId>), usize> = BTreeMap::new();
    for vector in &node.vectors {
        let connector = net.origins.connector(vector.origin);
        let key = match connector {
            Some((number, _)) => (Some(number), Vec::new()),
            None => {
                let mut parts: Vec<PartId> = vector.members.iter().map(|m| m.part).collect();
                parts.retain(|&part| drawn(part));
                parts.sort_unstable();
                (None, parts)
            }
        };
        let place = *known.entry(key.clone()).or_insert_with(|| {
            let name = connector.map(|(_, connector)| connector.name.to_string());
            let ends = match connector {
                Some((_, connector)) => ends(&connector.joins, &drawn),
                None => key.1.iter().map(|&part| End::Part(part, None)).collect(),
            };
            let text = Some(net.origins.get(vector.origin).span);
            found.push(Link { name, ends, told: Vec::new(), text, passes: false });
            found.len() - 1
        });
        found[place].told.push(told(net, node, vector));
    }
    found.retain(|link| link.parts().len() > 1);
    found
}

fn ends(joins: &[(bool, Joined)], drawn: &impl Fn(PartId) -> bool) -> Vec<End> {
    let mut found = Vec::new();
    for (trigger, joined) in joins {
        match joined {
            Joined::Port(parts, _) => {
                let parts = parts.iter().filter(|&&part| drawn(part));
                found.extend(parts.map(|&part| End::Part(part, Some(*trigger))));
            }
            Joined::Group(name, inner) => {
                let inner = ends(inner, drawn);
                if !inner.is_empty() {
                    found.push(End::Group(*trigger, name.map(|name| name.to_string()), inner));
                }
            }
        }
    }
    found
}

fn told(net: &PNet, node: &Composite, vector: &crate::pnet::Vector) -> String {
    let member = |(member, optional): (&crate::pnet::Member, bool)| {
        let (name, action) = (&node.parts[member.part].name, label::member(net, member.action));
        format!("{name}: {action}{}", if optional { "?" } else { "" })
    };
    let members: Vec<String> = vector.all_members().map(member).collect();
    format!("<{}> -> {}", members.join(", "), label::term(net, vector.result))
}

/// The priorities of a node, in words.
pub(in crate::emit) fn orders(
    net: &PNet,
    node: &Composite,
) -> Vec<(String, Option<(String, String)>)> {
    let mut seen = Vec::new();
    for order in net.origins.orders(node.origin) {
        if !seen.contains(&order) {
            seen.push(order);
        }
    }
    let words = |order: Order| match order {
        Order::Below(low, high) => {
            (format!("priority {low} < {high}"), Some((low.to_string(), high.to_string())))
        }
        Order::Written(text) => (format!("priority {text}"), None),
        Order::Maximal => ("priority maximal".to_owned(), None),
    };
    seen.into_iter().map(words).collect()
}
