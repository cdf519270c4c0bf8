//! The hierarchical pNet: the compiler's waist. Whatever the surface language offers is explained by it, and
//! every later stage sees nothing else.
//!
//! A pNet is a pLTS, or parts and holes with synchronisation vectors (Definitions 1 to 3 of the JLAMP paper).
//! Everything is instantiated: no parameters, families, connectors or priorities are left; what a priority
//! comes to is a vector's [`Rival`]s.

mod check;
mod compare;
mod hole;
mod net;
mod origin;
mod parts;

pub use check::{Violation, violations};
pub use compare::{Difference, same};
pub(crate) use hole::sort_allows;
pub use hole::{is_open, is_open_world};
pub use net::{
    Composite, Condition, Content, Hole, HoleId, HoleSort, Member, NodeId, Owed, OwedKind, PNet,
    Part, PartName, Plts, PltsId, Premise, PremiseKind, Rival, State, Transition, Vector,
};
pub use origin::{Connector, Instantiation, Joined, Order, Origin, OriginId, Origins};
pub use parts::{Parts, Place, path_inside};
