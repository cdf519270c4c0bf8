//! Runs of a net: where it begins, the steps, and what is so at the end.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::trace::{Equation, TraceStep};

/// A run, and what it leads to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    /// The net, as somebody asked for it.
    pub net: String,
    /// What was set, each as `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// Which values were tried where there are too many, each as `SORT=VALUES`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub domains: Vec<String>,
    /// The values of symbolic constants, and of uninterpreted functions where they matter.
    pub with: Vec<Equation>,
    /// The values that variables without an initial value begin with.
    pub begins: Vec<Equation>,
    /// The components, where they begin.
    #[serde(default)]
    pub components: Vec<Component>,
    /// The paths of the holes.
    #[serde(default)]
    pub holes: Vec<String>,
    /// The steps.
    pub steps: Vec<TraceStep>,
    /// What is so at its end.
    pub end: RunEnd,
}

/// A component where a run begins: a leaf of the hierarchy.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Component {
    /// Its path; empty when it is the whole.
    pub path: String,
    /// The process that it is an instance of.
    pub process: String,
    /// Its state.
    pub state: String,
    /// The values of its variables, by their names.
    pub variables: Vec<Equation>,
}

/// What is so at the end of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunEnd {
    /// Nothing is possible, though with its holes open the net could do something.
    Blocked {
        /// The state.
        state: String,
        /// The net with its holes open.
        net: String,
        /// What it could do there.
        could: Option<Box<TraceStep>>,
    },
    /// Nothing is possible, and not all components are in final states.
    Deadlock {
        /// The state.
        state: String,
    },
    /// The property of a check is true or false there, or has no value.
    Property {
        /// The state.
        state: String,
        /// What it is; nothing where it reads what has no value.
        holds: Option<bool>,
        /// The property, where it is not that of a check; always in a run that is saved.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        property: Option<String>,
    },
    /// Nothing is possible, and all components are in final states.
    Finished {
        /// The state.
        state: String,
    },
    /// Nothing is possible with the values that were tried; with others, something may be.
    Untried {
        /// The state.
        state: String,
    },
    /// Nothing: it could go on.
    Open {
        /// The state.
        state: String,
    },
    /// Two steps show the same and lead to different configurations.
    Choice {
        /// The state.
        state: String,
        /// One of them.
        one: Box<TraceStep>,
        /// The other.
        other: Box<TraceStep>,
    },
    /// What the check asks for can never happen again.
    NeverAgain {
        /// The state.
        state: String,
    },
    /// Every step that is possible needs a hole, and a filling may refuse for ever.
    Waits {
        /// The state.
        state: String,
    },
    /// Whatever happens from here on, a formula is false, or true, of the run.
    Decided {
        /// The state.
        state: String,
        /// The formula.
        formula: String,
        /// What it is.
        holds: bool,
    },
    /// It goes round for ever: the last step leads back to where so many steps had been made.
    Loop {
        /// The state.
        state: String,
        /// After how many steps the loop begins.
        start: usize,
    },
    /// It goes round for ever: the last step leads back to where so many steps had been made, but for variables on which nothing
    /// depends.
    Alike {
        /// The state.
        state: String,
        /// After how many steps the loop begins.
        start: usize,
        /// The variables that differ.
        but: Vec<String>,
    },
}

impl RunEnd {
    /// The state that it is about.
    pub fn state(&self) -> &str {
        match self {
            RunEnd::Blocked { state, .. }
            | RunEnd::Deadlock { state }
            | RunEnd::Property { state, .. }
            | RunEnd::Finished { state }
            | RunEnd::Untried { state }
            | RunEnd::Open { state }
            | RunEnd::Choice { state, .. }
            | RunEnd::NeverAgain { state }
            | RunEnd::Waits { state }
            | RunEnd::Decided { state, .. }
            | RunEnd::Loop { state, .. }
            | RunEnd::Alike { state, .. } => state,
        }
    }
}
