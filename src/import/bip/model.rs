//! A system of BIP2 once all names have a meaning: what translations start from.

use super::super::comments::Comments;
use super::term::{Action, Term, Type};
use super::tree::Ident;
use crate::diagnostics::Span;

/// A name with a type.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: Ident,
    pub kind: Type,
}

#[derive(Clone, Debug)]
pub(super) struct ConstDef {
    pub name: Ident,
    pub kind: Type,
    pub value: Term,
}

#[derive(Clone, Debug)]
pub(super) struct FunctionDef {
    pub name: Ident,
    pub parameters: Vec<Type>,
    /// None, if it is called for its effect.
    pub result: Option<Type>,
}

#[derive(Clone, Debug)]
pub(super) struct PortTypeDef {
    pub name: Ident,
    pub parameters: Vec<Variable>,
}

/// A variable of an atom.
#[derive(Clone, Debug)]
pub(super) struct DataDef {
    pub variable: Variable,
    pub is_exported: bool,
}

/// A port of an atom, as its transitions know it.
#[derive(Clone, Debug)]
pub(super) struct AtomPort {
    pub name: Ident,
    /// The variables that it carries.
    pub data: Vec<usize>,
    /// The port of the interface that it is, if it is exported.
    pub face: Option<usize>,
}

/// A port that connectors see.
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub name: Ident,
    pub kind: usize,
}

#[derive(Clone, Debug)]
pub(super) struct TransitionDef {
    /// None, if it is internal.
    pub port: Option<usize>,
    pub from: Vec<usize>,
    pub to: Vec<(usize, Span)>,
    pub guard: Term,
    pub action: Vec<Action>,
    pub span: Span,
}

/// One port gives way to another.
#[derive(Clone, Debug)]
pub(super) struct AtomRule {
    pub low: usize,
    pub high: usize,
    pub guard: Term,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct InvariantDef {
    pub name: Ident,
    pub at: Vec<usize>,
    pub guard: Term,
}

#[derive(Clone, Debug)]
pub(super) struct AtomDef {
    pub name: Ident,
    pub parameters: Vec<Variable>,
    pub data: Vec<DataDef>,
    pub ports: Vec<AtomPort>,
    pub faces: Vec<Face>,
    pub places: Vec<Ident>,
    pub initial: Vec<usize>,
    pub start: Vec<Action>,
    pub transitions: Vec<TransitionDef>,
    pub rules: Vec<AtomRule>,
    pub invariants: Vec<InvariantDef>,
}

impl AtomDef {
    /// Calls something for each term.
    pub fn terms(&self, take: &mut dyn FnMut(&Term)) {
        terms_of(&self.start, take);
        for transition in &self.transitions {
            take(&transition.guard);
            terms_of(&transition.action, take);
        }
        self.rules.iter().for_each(|one| take(&one.guard));
    }
}

fn terms_of(actions: &[Action], take: &mut dyn FnMut(&Term)) {
    for action in actions {
        match action {
            Action::Assign(_, term, _) => take(term),
            Action::If(test, yes, no) => {
                take(test);
                terms_of(yes, take);
                terms_of(no, take);
            }
        }
    }
}

/// What is done when some ports of a connector interact.
#[derive(Clone, Debug)]
pub(super) struct InteractionDef {
    /// The ports, in order.
    pub ports: Vec<usize>,
    pub guard: Term,
    pub up: Vec<Action>,
    pub down: Vec<Action>,
    pub span: Span,
}

/// Ports and groups; the flag says whether it is a trigger.
#[derive(Clone, Debug)]
pub(super) enum GlueDef {
    Port(usize, bool),
    Group(Vec<GlueDef>, bool),
}

#[derive(Clone, Debug)]
pub(super) struct ConnectorDef {
    pub name: Ident,
    /// Ports with their types.
    pub ports: Vec<(Ident, usize)>,
    pub locals: Vec<Variable>,
    /// The port that it exports: its name, its type, and the variables that it carries.
    pub export: Option<(Ident, usize, Vec<usize>)>,
    pub glue: Vec<GlueDef>,
    /// The interactions that are allowed, each as its ports in order, smaller ones first: all of them, or of many those that
    /// tell what the others do as well.
    pub interactions: Vec<Vec<usize>>,
    /// Whether there are more interactions than are gone through: then these are those with clauses, the smallest, and the
    /// largest one.
    pub is_large: bool,
    pub clauses: Vec<InteractionDef>,
}

/// The type of a component.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Atom(usize),
    Compound(usize),
}

#[derive(Clone, Debug)]
pub(super) struct ComponentDef {
    pub name: Ident,
    pub kind: Kind,
    pub arguments: Vec<Term>,
}

/// What a connector is connected to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum End {
    /// A port of a component: component, port.
    Component(usize, usize),
    /// The port that another connector exports.
    Connector(usize),
}

#[derive(Clone, Debug)]
pub(super) struct ConnectorUse {
    pub name: Ident,
    pub kind: usize,
    pub ends: Vec<End>,
}

/// Interactions of a connector of a compound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SideDef {
    All,
    Connector(usize),
    /// One, by the ports of the connector.
    Interaction(usize, Vec<usize>),
}

#[derive(Clone, Debug)]
pub(super) struct CompoundRule {
    pub name: Ident,
    pub low: SideDef,
    pub high: SideDef,
    pub guard: Term,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct CompoundDef {
    pub name: Ident,
    pub parameters: Vec<Variable>,
    pub components: Vec<ComponentDef>,
    pub connectors: Vec<ConnectorUse>,
    pub rules: Vec<CompoundRule>,
    pub faces: Vec<Face>,
    /// For each port of the interface: what it is inside.
    pub exports: Vec<Vec<End>>,
    /// Exported data: its name, and whose it is.
    pub data: Vec<(Ident, usize, usize)>,
}

/// Something that a package declares, in its order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Item {
    Const(usize),
    Sort(usize),
    Function(usize),
    PortType(usize),
    Atom(usize),
    Connector(usize),
    Compound(usize),
}

/// A whole system, of all packages.
#[derive(Debug, Default)]
pub(super) struct BipModel {
    pub constants: Vec<ConstDef>,
    pub sorts: Vec<Ident>,
    pub functions: Vec<FunctionDef>,
    pub port_types: Vec<PortTypeDef>,
    pub atoms: Vec<AtomDef>,
    pub connectors: Vec<ConnectorDef>,
    pub compounds: Vec<CompoundDef>,
    /// What stands where, with the comments of each package.
    pub packages: Vec<PackageDef>,
}

#[derive(Debug, Default)]
pub(super) struct PackageDef {
    pub name: String,
    pub items: Vec<(Item, Span)>,
    pub comments: Comments,
}

impl BipModel {
    /// The ports that connectors see of a component.
    pub fn faces(&self, kind: Kind) -> &[Face] {
        match kind {
            Kind::Atom(at) => &self.atoms[at].faces,
            Kind::Compound(at) => &self.compounds[at].faces,
        }
    }

    pub fn name_of(&self, kind: Kind) -> Ident {
        match kind {
            Kind::Atom(at) => self.atoms[at].name,
            Kind::Compound(at) => self.compounds[at].name,
        }
    }

    pub fn parameters_of(&self, kind: Kind) -> &[Variable] {
        match kind {
            Kind::Atom(at) => &self.atoms[at].parameters,
            Kind::Compound(at) => &self.compounds[at].parameters,
        }
    }

    /// The type of exported data.
    pub fn data_type(&self, kind: Kind, data: usize) -> Option<Type> {
        match kind {
            Kind::Atom(at) => self.atoms.get(at)?.data.get(data).map(|one| one.variable.kind),
            Kind::Compound(at) => {
                let compound = self.compounds.get(at)?;
                let (_, component, inner) = compound.data.get(data)?;
                self.data_type(compound.components.get(*component)?.kind, *inner)
            }
        }
    }
}
