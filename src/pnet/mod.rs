//! The hierarchical pNet: the compiler's waist. Whatever the surface language offers is explained by it, and
//! every later stage sees nothing else.
//!
//! A pNet is a pLTS, or parts and holes with synchronisation vectors (Definitions 1 to 3 of the JLAMP paper).
//! Everything is instantiated: no parameters, families, connectors or priorities are left; what a priority
//! comes to is a vector's [`Rival`]s.

mod algebra;
mod check;
mod compare;
mod evaluate;
mod import;
mod interval;
mod invariant;
mod net;
mod origin;
mod parts;
mod remainder;
mod sort_of;
mod substitute;
mod term;

pub use algebra::{Algebra, Constant, Constructor, Datatype, Function, Signature, Sort};
pub use check::{Violation, violations};
pub use compare::same;
pub use evaluate::{Evaluator, MOST_UNFOLDED};
pub use import::Imported;
pub use interval::Known;
pub use invariant::{BY_PREDICATE, MOST_PLACES, Restrictions, places};
pub use net::{
    Composite, Condition, Content, Hole, HoleId, HoleSort, Member, NodeId, Owed, OwedKind, PNet,
    Part, PartName, Plts, PltsId, Premise, PremiseKind, Rival, State, Transition, Vector,
};
pub use origin::{Connector, Instantiation, Joined, Order, Origin, OriginId, Origins};
pub use parts::{Parts, Place, path_inside};
pub use sort_of::{SortsOf, sort_of};
pub use term::{Term, TermId, Terms, VarId, Variable, VariableKind};

pub use crate::sema::program::{AbstractId, ActionId, ConstId, DataId, FunId};
