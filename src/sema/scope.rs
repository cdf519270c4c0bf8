//! Which names a module sees: its own, those it imports, and the prelude's.

use rustc_hash::{FxHashMap, FxHashSet};

use super::program::{
    AbstractId, ActionId, ArchitectureId, ConnectorTypeId, ConstId, DataId, FunId, InterfaceId,
    InvariantId, ModuleId, NetId, ProcessId, PropertyId, ReductionId, RelationId,
};
use crate::diagnostics::{Span, Symbol};

/// The kinds of names that can be the same without meaning the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Space {
    /// Functions, constants, constructors and actions.
    Values,
    /// Sorts and interfaces.
    Sorts,
    /// Processes, nets and architectures.
    Components,
    /// Relations, invariants and reductions.
    Relations,
    /// Definitions of connectors.
    Connectors,
    /// Temporal properties.
    Properties,
}

impl Space {
    /// All of them.
    pub const ALL: [Space; 6] = [
        Space::Values,
        Space::Sorts,
        Space::Components,
        Space::Relations,
        Space::Connectors,
        Space::Properties,
    ];
}

/// What a name stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A function.
    Fun(FunId),
    /// A constant.
    Const(ConstId),
    /// A constructor, by its place in the datatype.
    Constructor(DataId, u32),
    /// Actions of this name, one for each arity.
    Actions(Vec<(usize, ActionId)>),
    /// An abstract sort.
    Abstract(AbstractId),
    /// An enumeration or a datatype.
    Data(DataId),
    /// An interface.
    Interface(InterfaceId),
    /// A process.
    Process(ProcessId),
    /// A net.
    Net(NetId),
    /// An architecture.
    Architecture(ArchitectureId),
    /// A relation.
    Relation(RelationId),
    /// An invariant.
    Invariant(InvariantId),
    /// A reduction.
    Reduction(ReductionId),
    /// A definition of a connector.
    Connector(ConnectorTypeId),
    /// A temporal property.
    Property(PropertyId),
}

impl Meaning {
    /// What it is, in words.
    pub fn in_words(&self) -> &'static str {
        match self {
            Meaning::Fun(_) => "a function",
            Meaning::Const(_) => "a constant",
            Meaning::Constructor(..) => "a constructor",
            Meaning::Actions(_) => "an action",
            Meaning::Abstract(_) | Meaning::Data(_) => "a sort",
            Meaning::Interface(_) => "an interface",
            Meaning::Process(_) => "a process",
            Meaning::Net(_) => "a net",
            Meaning::Architecture(_) => "an architecture",
            Meaning::Relation(_) => "a relation",
            Meaning::Invariant(_) => "an invariant",
            Meaning::Reduction(_) => "a reduction",
            Meaning::Connector(_) => "a connector",
            Meaning::Property(_) => "a property",
        }
    }
}

/// A name that was declared, with its place.
#[derive(Clone, Debug)]
pub struct Declared {
    /// What it stands for.
    pub meaning: Meaning,
    /// Where it was declared.
    pub span: Span,
}

/// The names of a table, by kind.
pub type Names = FxHashMap<(Space, Symbol), Declared>;

/// A name that an import brought.
#[derive(Clone, Debug)]
pub struct Imported {
    /// What it stands for.
    pub declared: Declared,
    /// By which import of the module.
    pub import: usize,
}

/// What one module sees.
#[derive(Debug, Default)]
pub struct Scope {
    /// What it declares.
    pub own: Names,
    /// What its imports bring.
    pub imported: FxHashMap<(Space, Symbol), Imported>,
    /// What it imports with `as`.
    pub aliases: FxHashMap<Symbol, (ModuleId, usize)>,
    /// Names in texts that could not be parsed: nothing is said about them.
    pub unparsed: FxHashSet<Symbol>,
    /// Whether an import that would bring every name of a file could not be followed: any name that is not
    /// known may be one of those.
    pub missing_import: bool,
    /// Which imports were of use.
    pub used_imports: Vec<bool>,
}
