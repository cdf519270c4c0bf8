//! Connectors and priorities of the typed program.

use super::program::{
    ActionId, Argument, ConnectorTypeId, Expr, FamilyDef, LocalId, MemberDef, RivalDef,
};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::Ident;

/// A connector.
#[derive(Debug)]
pub struct ConnectorDef {
    /// Its name.
    pub name: Ident,
    /// The action that it shows.
    pub shows: Expr,
    /// Its ports and sub-connectors; where it uses a definition, what stands at each port of that.
    pub parts: Vec<ConnectorPart>,
    /// The definition that it uses.
    pub used: Option<UseDef>,
    /// When its interactions can happen.
    pub guard: Option<Expr>,
    /// The data it transfers.
    pub transfer: Vec<(LocalId, Expr)>,
    /// Its interactions can happen only where none of these could.
    pub rivals: Vec<RivalDef>,
    /// The indices it is repeated for.
    pub repeat: Vec<FamilyDef>,
    /// Where it was written.
    pub span: Span,
}

/// A use of a definition.
#[derive(Debug)]
pub struct UseDef {
    /// The definition.
    pub connector: ConnectorTypeId,
    /// The values of its parameters.
    pub values: Vec<Argument>,
    /// Whether another connector uses the port that it shows: then it does not happen by itself.
    pub is_inner: bool,
    /// Data of ports of the definition, none for the one that it shows, by which names it is known to what is shown.
    pub seen: Vec<(Option<usize>, usize, LocalId)>,
    /// Where it stands.
    pub span: Span,
}

impl ConnectorDef {
    /// Whether it happens only as a part of others.
    pub fn is_inner(&self) -> bool {
        self.used.as_ref().is_some_and(|used| used.is_inner)
    }
}

/// A port or a sub-connector.
#[derive(Debug)]
pub struct ConnectorPart {
    /// Whether it can start an interaction.
    pub trigger: bool,
    /// Which.
    pub kind: ConnectorPartKind,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of parts of a connector.
#[derive(Debug)]
pub enum ConnectorPartKind {
    /// A port of a part.
    Port(MemberDef),
    /// The port that another connector of this net shows, by the name of that one, and its index where it is repeated.
    Shown(Symbol, Option<Expr>),
    /// A sub-connector.
    Group(Vec<ConnectorPart>),
    /// A sub-connector of what is repeated for these indices, or for those of which a condition holds.
    Each(Vec<ConnectorPart>, Vec<FamilyDef>, Option<Expr>),
}

/// Orders of what a net does.
#[derive(Debug)]
pub struct PriorityDef {
    /// Each from the lowest to the highest.
    pub orders: Vec<Vec<OrderedDef>>,
    /// When they hold.
    pub guard: Option<Expr>,
    /// The indices they are repeated for.
    pub repeat: Vec<FamilyDef>,
    /// As it was written.
    pub text: Symbol,
}

/// What a priority orders.
#[derive(Debug)]
pub struct OrderedDef {
    /// Which interactions.
    pub kind: OrderedDefKind,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of what a priority orders.
#[derive(Debug)]
pub enum OrderedDefKind {
    /// What shows an action of this name, or a connector of this name.
    Name(Symbol),
    /// What shows this action with these arguments.
    Act(ActionId, Vec<Expr>),
    /// The interaction of this name that has these ports: parts, with the names of their actions.
    Ports(Symbol, Vec<(MemberDef, Symbol)>),
    /// `tau`
    Tau,
    /// All others.
    All,
}

impl PriorityDef {
    /// Whether all of it are names, always in this order.
    pub fn is_plain(&self) -> bool {
        let plain = |one: &OrderedDef| matches!(one.kind, OrderedDefKind::Name(_));
        self.guard.is_none() && self.repeat.is_empty() && self.orders.iter().flatten().all(plain)
    }

    /// The pairs of names of which the first always gives way to the second.
    pub fn names(&self) -> impl Iterator<Item = (Symbol, Symbol)> {
        let pairs = self.orders.iter().flat_map(|order| order.windows(2));
        pairs.filter(|_| self.guard.is_none()).filter_map(|pair| match pair {
            [
                OrderedDef { kind: OrderedDefKind::Name(low), .. },
                OrderedDef { kind: OrderedDefKind::Name(high), .. },
            ] => Some((*low, *high)),
            _ => None,
        })
    }
}

/// A pair of actions of a process by their names, none for `tau`: the first gives way to the second.
#[derive(Debug)]
pub struct ProcessOrderDef {
    /// What gives way.
    pub low: Option<Symbol>,
    /// To what.
    pub high: Option<Symbol>,
    /// When.
    pub guard: Option<Expr>,
    /// Where it was written.
    pub span: Span,
}
