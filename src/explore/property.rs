//! Properties of configurations.

use super::Value;
use crate::algebra::{TermId, Terms, VarId};
use crate::pnet::PltsId;

/// A property: terms over the variables of leaves, and over one more variable for each leaf that stands for the number of
/// the state it is in.
#[derive(Clone, Debug)]
pub struct Property {
    /// The terms of the net, and those of the property.
    pub terms: Terms,
    /// When it reads only what has a value.
    pub owed: TermId,
    /// What it says then.
    pub says: TermId,
    /// The variables that stand for states of leaves, as integers.
    pub locations: Vec<(VarId, PltsId)>,
    /// Other variables, and what they stand for.
    pub given: Vec<(VarId, Value)>,
}
