//! The ids of everything that a net is made of.

use crate::base::IndexVec;
use crate::tagged_id;

tagged_id! {
    /// A pLTS.
    PltsId
}

tagged_id! {
    /// A state of a pLTS.
    PltsStateId
}

tagged_id! {
    /// A transition of a pLTS.
    PltsTransitionId
}

tagged_id! {
    /// A node with parts.
    NodeId
}

tagged_id! {
    /// A part of a node.
    PartId
}

tagged_id! {
    /// A vector of a node.
    VectorId
}

tagged_id! {
    /// A member of a vector.
    MemberId
}

tagged_id! {
    /// Something that a vector gives way to.
    RivalId
}

tagged_id! {
    /// One of the things that a guard asks for.
    ConditionId
}

tagged_id! {
    /// One of the things that values owe.
    OwedId
}

tagged_id! {
    /// A hole.
    HoleId
}

tagged_id! {
    /// A leaf of the hierarchy, in the order of the text. (pLTSs have the order in which they were made.)
    LeafId
}

tagged_id! {
    /// A variable of some leaf, in the order of the leaves.
    StateVariableId
}

tagged_id! {
    /// Where something comes from.
    OriginId
}

tagged_id! {
    /// An instance of a process or a net.
    InstanceId
}

tagged_id! {
    /// A connector that vectors were made of.
    ConnectorId
}

/// A vector, wherever it stands.
pub type VectorPlace = (NodeId, VectorId);

/// A transition of a pLTS, wherever it stands.
pub type TransitionPlace = (PltsId, PltsTransitionId);

/// A state of each pLTS of a net.
pub type PltsStates = IndexVec<PltsId, PltsStateId>;
