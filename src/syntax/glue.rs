//! The tree of connectors, priorities, and parts that are one thing or another.

use serde::Serialize;

use super::ast::{Assignment, Expr, Family, Ident, Instance, Part, Rival, SubDecl};
use crate::diagnostics::Span;

/// A connector.
#[derive(Clone, Debug, Serialize)]
pub struct ConnectDecl {
    /// The action that it shows.
    pub name: Ident,
    /// The data it exports.
    pub exports: Vec<Expr>,
    /// Its ports and sub-connectors.
    pub parts: Vec<Connector>,
    /// When its interactions can happen.
    pub guard: Option<Expr>,
    /// The data it transfers.
    pub transfer: Vec<Assignment>,
    /// Its interactions can happen only where none of these could.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rivals: Vec<Rival>,
    /// The indices it is repeated for.
    pub repeat: Vec<Family>,
}

/// A port or a sub-connector.
#[derive(Clone, Debug, Serialize)]
pub struct Connector {
    /// Which.
    pub kind: ConnectorKind,
    /// Whether it is marked `'`: it can start an interaction.
    pub trigger: bool,
    /// Where it stands.
    pub span: Span,
    #[serde(skip)]
    pub(super) depth: u16,
}

/// The kinds of connectors.
#[derive(Clone, Debug, Serialize)]
pub enum ConnectorKind {
    /// Nested too deeply; it has been reported.
    Error,
    /// `T.start(x)`
    Port(Box<Port>),
    /// `[C.fail T.start]`
    Group(Vec<Connector>),
    /// `[S[i].tick for i in 0..n when i != k]`: a group of what is repeated
    Each(Vec<Connector>, Vec<Family>, Option<Box<Expr>>),
}

/// A port of a part: one of its actions.
#[derive(Clone, Debug, Serialize)]
pub struct Port {
    /// Which part.
    pub part: Part,
    /// The action.
    pub action: Ident,
    /// Its data.
    pub args: Vec<Expr>,
}

/// Which interactions go before which.
#[derive(Clone, Debug, Serialize)]
pub enum Priority {
    /// `priority maximal;`
    Maximal,
    /// `priority tick < ask < reset;`: each goes before those to its left.
    Order(PriorityOrder),
}

/// Orders: `tick < ask < reset when g for i in 0..n`.
#[derive(Clone, Debug, Serialize)]
pub struct PriorityOrder {
    /// Each from the lowest to the highest; at least two.
    pub orders: Vec<Vec<Ordered>>,
    /// When they hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard: Option<Expr>,
    /// The indices they are repeated for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repeat: Vec<Family>,
}

/// What a priority orders.
#[derive(Clone, Debug, Serialize)]
pub struct Ordered {
    /// Which interactions.
    pub kind: OrderedKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of what a priority orders.
#[derive(Clone, Debug, Serialize)]
pub enum OrderedKind {
    /// `cross`, `cross(i)`: what shows an action
    Named(Ident, Vec<Expr>),
    /// `brd[A.a B.b]`: the interaction of these ports
    Ports(Ident, Vec<Port>),
    /// `tau`
    Tau,
    /// `*`: all others
    All,
}

/// What a part is under a condition.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    /// The condition.
    pub condition: Expr,
    /// What the part is then.
    pub instance: Instance,
}

impl SubDecl {
    /// All that it may be.
    pub fn instances(&self) -> impl Iterator<Item = &Instance> {
        self.choices.iter().map(|choice| &choice.instance).chain([&self.instance])
    }
}
