//! What many random runs came to.

use schemars::JsonSchema;
use serde::Serialize;

use super::trace::Place;

/// What many runs came to: how they ended, and what was seen of the net.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Coverage {
    /// The net.
    pub net: String,
    /// The seed of the first run; each run has the next one.
    pub seed: u64,
    /// How many runs were made.
    pub runs: usize,
    /// How many steps in all.
    pub steps: usize,
    /// How many steps the shortest run has.
    pub shortest: usize,
    /// How many steps the longest run has.
    pub longest: usize,
    /// The runs that ended where nothing is possible, though not all components were in final states.
    pub deadlocks: Ended,
    /// The runs that ended where all components were in final states.
    pub finished: Ended,
    /// The runs that ended where nothing is possible with the values that were tried.
    pub untried: Ended,
    /// The runs that met what was looked for.
    pub met: Ended,
    /// The runs that could have gone on.
    pub open: Ended,
    /// The transitions of processes.
    pub transitions: Covered,
    /// The states of processes.
    pub states: Covered,
    /// The vectors and connectors of nets.
    pub vectors: Covered,
}

/// How many runs ended in some way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Ended {
    /// How many.
    pub runs: usize,
    /// The seed of the shortest of them.
    pub seed: Option<u64>,
    /// How many steps that one has.
    pub steps: Option<usize>,
}

/// How many texts of one kind were seen.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Covered {
    /// Those that were seen.
    pub seen: usize,
    /// All.
    pub all: usize,
    /// Those that were never seen.
    pub never: Vec<NeverSeen>,
}

/// A text of which nothing was ever seen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct NeverSeen {
    /// The process or net that it belongs to.
    pub of: String,
    /// What it says.
    pub what: String,
    /// Where it stands.
    pub at: Option<Place>,
}
