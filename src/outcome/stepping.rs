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
    /// Whether the net never shows it, but shows that it was synchronised.
    pub synchronised: bool,
}

/// A way to make an action, and what stands in the way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Obstructed {
    /// The path of the net or component whose way it is; empty at the top.
    pub of: String,
    /// A vector, a connector or a transition, as it is written.
    pub way: String,
    /// Where it stands.
    pub at: Option<Place>,
    /// What stands in the way.
    pub blocks: Vec<Blocked>,
}

/// What stands in the way of something.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Blocked {
    /// A component is in another state.
    State {
        /// Its path.
        component: String,
        /// Where it is.
        is: String,
        /// Where it would have to be.
        needs: String,
    },
    /// A member does not do what is asked of it.
    Member {
        /// Its path.
        part: String,
        /// What is asked of it, as it is written.
        asked: String,
        /// Where that stands.
        at: Option<Place>,
        /// What it could do instead, as far as it is in the right states.
        offers: Vec<String>,
        /// What in it could do it, and what stands in the way there.
        inside: Vec<Obstructed>,
    },
    /// A member does what is asked of it, but not with the values of the others.
    Disagree {
        /// Its path.
        part: String,
        /// What is asked of it, as it is written.
        asked: String,
        /// Where that stands.
        at: Option<Place>,
    },
    /// A condition does not hold.
    Condition {
        /// As it is written.
        text: String,
        /// Where it stands.
        at: Option<Place>,
        /// What it depends on.
        values: Vec<Equation>,
    },
    /// A value would not be one of its sort.
    Owed {
        /// As it is written.
        text: String,
        /// Where it stands.
        at: Option<Place>,
        /// What it is for: `range`, `place`, `member`, `divisor` or `call`.
        what: String,
        /// What it depends on.
        values: Vec<Equation>,
    },
    /// Something goes first.
    Rival {
        /// What says so, as it is written.
        text: String,
        /// Where it stands.
        at: Option<Place>,
    },
    /// Nothing can be said.
    Unclear {
        /// Why, in words.
        why: String,
    },
}
