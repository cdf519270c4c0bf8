//! The tree of connectors, priorities, and parts that are one thing or another.

use serde::Serialize;

use super::ast::{
    Assignment, Binder, Documented, Expr, Family, Ident, Instance, Part, Rival, SubDecl,
};
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
    /// The definition that it uses in the place of all this: `Max(A.out, B.out)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used: Option<Box<ConnectorUse>>,
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
    /// `p`, `r[i]`: a port of the definition it stands in
    Formal(Box<Part>),
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

/// A use of a definition.
#[derive(Clone, Debug, Serialize)]
pub struct ConnectorUse {
    /// What the module is called here that it is reached through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<Ident>,
    /// The definition.
    pub name: Ident,
    /// The value arguments.
    pub values: Vec<Expr>,
    /// What its ports are: ports of parts, ports that other connectors show, or groups of these for families.
    pub ports: Vec<Connector>,
    /// Where it stands.
    pub span: Span,
}

/// The definition of a connector over ports.
#[derive(Clone, Debug, Serialize)]
pub struct ConnectorDecl {
    /// Its name.
    pub name: Ident,
    /// Its value parameters.
    pub params: Vec<Binder>,
    /// What it joins.
    pub ports: Vec<FormalPort>,
    /// The port that it shows to other connectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shows: Option<FormalPort>,
    /// Its statements.
    pub body: Vec<ConnectorStatement>,
}

/// A port in the head of a definition: `r[i: 0..n]: port(x: Int, in y: Int)`.
#[derive(Clone, Debug, Serialize)]
pub struct FormalPort {
    /// Its name.
    pub name: Ident,
    /// Its index, when it stands for many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<Family>,
    /// Its data, each with whether it only goes in.
    pub data: Vec<(bool, Binder)>,
}

/// A statement of the definition of a connector.
pub type ConnectorStatement = Documented<ConnectorStatementKind>;

/// The kinds of statements of the definition of a connector.
#[derive(Clone, Debug, Serialize)]
pub enum ConnectorStatementKind {
    /// Could not be parsed; it has been reported.
    Error,
    /// `s' [r[i]' for i in 0..n] when g up … down …;`
    Joins(Vec<Connector>, ConnectorClauses),
    /// `on s r[0] when g up … down …;`
    On(Vec<Connector>, ConnectorClauses),
}

/// When interactions can happen, and the data they move.
#[derive(Clone, Debug, Serialize)]
pub struct ConnectorClauses {
    /// When they can happen.
    pub guard: Option<Expr>,
    /// What goes to the port that is shown.
    pub up: Vec<Transfer>,
    /// What comes back to the ports.
    pub down: Vec<Transfer>,
}

/// Data that a connector moves, for all the indices it stands for: `r[i].y := s.x`, `[r[i].y := s.x for i in 0..n]`.
#[derive(Clone, Debug, Serialize)]
pub struct Transfer {
    /// What is moved where.
    pub moves: Assignment,
    /// The indices it is repeated for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repeat: Vec<Family>,
    /// For which of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<Expr>,
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
