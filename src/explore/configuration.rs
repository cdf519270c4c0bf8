//! Configurations and the steps between them.

use std::sync::Arc;

use super::Value;
use crate::base::IndexVec;
use crate::pnet::{HoleId, PltsId, PltsStateId, TransitionPlace, VectorPlace};

/// The values of symbolic constants, by their places among the constants of the algebra; none where a constant has a value
/// of its own.
pub type Constants = Arc<Vec<Option<Value>>>;

/// Where a net is: the states and the values of the variables of all leaves.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Configuration {
    /// The values of symbolic constants, the same in all configurations of a run.
    pub constants: Constants,
    /// The state of each leaf.
    pub states: IndexVec<PltsId, PltsStateId>,
    /// The values of the variables of each leaf, in the order of their declarations.
    pub values: IndexVec<PltsId, Vec<Value>>,
}

/// A step of a net.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Step {
    /// What it shows.
    pub action: Value,
    /// What holes do, in the order of the holes.
    pub holes: Vec<(HoleId, Value)>,
    /// Where it leads.
    pub target: Configuration,
    /// The vectors that it is made of, the outermost first.
    pub vectors: Vec<VectorPlace>,
    /// The transitions of leaves that it is made of, in the order of the members.
    pub transitions: Vec<TransitionPlace>,
}

/// The steps that are possible in a configuration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Steps {
    /// The steps with values that are tried; in order, each once.
    pub steps: Vec<Step>,
    /// Whether there may be more, with values that are not tried: a domain limits them.
    pub limited: bool,
}
