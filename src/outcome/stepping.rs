//! What somebody is told who makes a run step by step.

use schemars::JsonSchema;
use serde::Serialize;

use super::run::{Component, RunEnd, Trace};
use super::trace::{Equation, Place, TraceStep};

/// The answer to a command.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StepAnswer {
    /// Where the run is.
    Position(Box<Position>),
    /// Components as they are now.
    Components {
        /// These.
        components: Vec<Component>,
    },
    /// Values of variables and constants.
    Values {
        /// These.
        values: Vec<Equation>,
    },
    /// The run so far.
    Run(Box<Trace>),
    /// Why an action is not possible, or that it is.
    Why(Box<WhyNot>),
}

/// Where a run is, and what is possible.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Position {
    /// How many steps have been made.
    pub steps: usize,
    /// How many more were made before somebody went back.
    pub ahead: usize,
    /// The last step, if one was made.
    pub last: Option<TraceStep>,
    /// What can be chosen.
    pub choices: Choices,
    /// Whether there may be more, with values that are not tried.
    pub limited: bool,
    /// What is so where nothing is possible.
    pub end: Option<RunEnd>,
}

/// What can be chosen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Choices {
    /// Where to begin: the values of constants and of variables without an initial value.
    Beginnings {
        /// One for each.
        beginnings: Vec<Vec<Equation>>,
    },
    /// Which step to make.
    Steps {
        /// These.
        steps: Vec<TraceStep>,
    },
    /// Nothing is known about what is possible.
    Unknown {
        /// Why, in words.
        why: String,
    },
}

/// Why an action is not possible.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct WhyNot {
    /// What was asked for, as it was written.
    pub action: String,
    /// The steps that show it, by their numbers: then it is possible.
    pub possible: Vec<usize>,
    /// What stands in the way, one for each way to make it.
    pub obstacles: Vec<Obstructed>,
}

/// What stands in the way of an action.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Obstructed {
    /// The way: a vector or a connector, or the transition of a component, as it is written.
    pub way: Option<String>,
    /// Where that stands.
    pub at: Option<Place>,
    /// What is missing, in words.
    pub why: String,
    /// Where the text stands that is not met.
    pub because: Option<Place>,
}
