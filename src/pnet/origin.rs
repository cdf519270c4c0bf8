//! Where the parts of a net come from: source texts, and the chain of instantiations that led to them.

use std::collections::BTreeMap;

use super::{ConnectorId, InstanceId, OriginId, PartId};
use crate::algebra::TermId;
use crate::base::IndexVec;
use crate::diagnostics::{Span, Symbol};

/// The text something comes from, and through which instance.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The text.
    pub span: Span,
    /// The instance it belongs to; none at the top.
    pub instance: Option<InstanceId>,
    /// The connector it is an interaction of.
    pub connector: Option<ConnectorId>,
}

/// A connector that vectors were made of, as it was written.
#[derive(Clone, Debug)]
pub struct Connector {
    /// Its name.
    pub name: Symbol,
    /// What it joins, each with whether it is a trigger.
    pub joins: Vec<(bool, Joined)>,
}

/// What a connector joins.
#[derive(Clone, Debug)]
pub enum Joined {
    /// A port: the parts that it may be of, and the action.
    Port(Vec<PartId>, TermId),
    /// A connector inside, with its name if it has one, and what it joins.
    Group(Option<Symbol>, Vec<(bool, Joined)>),
}

/// An order that a net gives to what it can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// What has the first name gives way to what has the second.
    Below(Symbol, Symbol),
    /// Something else that was written: `cross(i) < stop(i) for i in 0..n`.
    Written(Symbol),
    /// Of a connector, the largest interactions go first.
    Maximal,
}

/// An instance: `left`, an instance of `Timer` made here.
#[derive(Clone, Debug)]
pub struct Instantiation {
    /// The name of the part.
    pub part: String,
    /// The process or net that was instantiated.
    pub component: Symbol,
    /// Where it was made.
    pub span: Span,
    /// The instance around it; none at the top.
    pub outer: Option<InstanceId>,
}

/// All origins of a net.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    origins: IndexVec<OriginId, Origin>,
    instances: IndexVec<InstanceId, Instantiation>,
    connectors: IndexVec<ConnectorId, Connector>,
    orders: Vec<(Option<InstanceId>, Order)>,
    /// What people call vectors.
    names: BTreeMap<OriginId, Symbol>,
    /// For each text that stands for interactions, whether there was one.
    unfolded: BTreeMap<Span, bool>,
}

impl Origins {
    /// Notes an origin.
    pub fn add(&mut self, span: Span, instance: Option<InstanceId>) -> OriginId {
        self.origins.push(Origin { span, instance, connector: None })
    }

    /// Notes a connector.
    pub fn connect(&mut self, connector: Connector) -> ConnectorId {
        self.connectors.push(connector)
    }

    /// Notes that something is an interaction of a connector.
    pub fn interaction_of(&mut self, id: OriginId, connector: ConnectorId) {
        self.origins[id].connector = Some(connector);
    }

    /// The connector that something is an interaction of, with its id.
    pub fn connector(&self, id: OriginId) -> Option<(ConnectorId, &Connector)> {
        let connector = self.get(id).connector?;
        Some((connector, self.connectors.get(connector)?))
    }

    /// Notes what people call a vector.
    pub fn call(&mut self, id: OriginId, name: Symbol) {
        self.names.insert(id, name);
    }

    /// What people call a vector.
    pub fn name(&self, id: OriginId) -> Option<Symbol> {
        self.names.get(&id).copied()
    }

    /// Notes an order of what an instance can do.
    pub fn order(&mut self, instance: Option<InstanceId>, order: Order) {
        self.orders.push((instance, order));
    }

    /// The orders of the instance that something belongs to.
    pub fn orders(&self, id: OriginId) -> impl Iterator<Item = Order> {
        let instance = self.get(id).instance;
        self.orders.iter().filter(move |(of, _)| *of == instance).map(|(_, order)| *order)
    }

    /// Notes that a text was unfolded, and whether an interaction came out.
    pub fn unfold(&mut self, text: Span, something: bool) {
        *self.unfolded.entry(text).or_default() |= something;
    }

    /// The texts that were unfolded, and no interaction ever came out.
    pub fn without_interaction(&self) -> impl Iterator<Item = Span> {
        self.unfolded.iter().filter(|(_, something)| !**something).map(|(text, _)| *text)
    }

    /// Notes an instance.
    pub fn instantiate(&mut self, instantiation: Instantiation) -> InstanceId {
        self.instances.push(instantiation)
    }

    /// An origin.
    pub fn get(&self, id: OriginId) -> Origin {
        self.origins[id]
    }

    /// The texts of all origins.
    pub fn spans(&self) -> impl Iterator<Item = Span> {
        self.origins.iter().map(|origin| origin.span)
    }

    /// The instances that led to an origin, the innermost first.
    pub fn chain(&self, id: OriginId) -> Vec<&Instantiation> {
        self.chain_of(self.get(id).instance)
    }

    /// The instances from one outwards.
    pub fn chain_of(&self, instance: Option<InstanceId>) -> Vec<&Instantiation> {
        let mut chain = Vec::new();
        let mut at = instance;
        while let Some(index) = at {
            let instance = &self.instances[index];
            chain.push(instance);
            at = instance.outer;
        }
        chain
    }
}
