//! The hierarchical pNet: the compiler's waist. Whatever the surface language offers is explained by it, and every
//! later stage sees nothing else.
//!
//! A pNet is a pLTS, or parts and holes with synchronisation vectors (Ameur-Boulifa et al., JLAMP 2023, Definitions 1
//! to 3). Everything is instantiated: no parameters, families, connectors or priorities are left; what a priority
//! comes to is a vector's [`Rival`]s.

mod at_hand;
mod check;
mod compare;
mod foremost;
mod hole;
mod ids;
mod influence;
mod net;
mod origin;
mod parts;
mod seen;

pub use at_hand::at_hand;
pub use check::{Violation, violations};
pub use compare::{Difference, same};
pub use foremost::Foremost;
pub(crate) use hole::sort_allows;
pub use hole::{is_open, is_open_world};
pub use ids::{
    ConditionId, ConnectorId, HoleId, InstanceId, LeafId, MemberId, NodeId, OriginId, OwedId,
    PartId, PltsId, PltsStateId, PltsStates, PltsTransitionId, RivalId, StateVariableId,
    TransitionPlace, VectorId, VectorPlace,
};
pub use influence::{Stilled, Watched};
pub use net::{
    Composite, Condition, Content, Hole, HoleSort, Member, Members, Optional, Owed, OwedKind, PNet,
    Part, PartName, Plts, Premise, PremiseKind, Rival, State, Transition, Vector, name_of,
};
pub use origin::{Connector, Instantiation, Joined, Order, Origin, Origins};
pub use parts::{Parts, Place, leaves_of_parts, path_inside};
