//! Steps of plays and runs: who moved, by which text of the model, and what changed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value::Value;

/// What something is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Equation {
    /// What it is about.
    pub what: String,
    /// Its value.
    pub value: Value,
}

/// A step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TraceStep {
    /// Which net makes it.
    pub net: String,
    /// What it shows; nothing when it is silent and nobody looks.
    pub action: Option<Value>,
    /// Where it starts.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// What holes do.
    pub holes: Vec<Equation>,
    /// Who moved: for each transition of the automaton, the vectors, connectors and parts.
    pub by: Vec<By>,
    /// What changes.
    pub changes: Vec<Changed>,
}

/// Who makes a transition of an automaton.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct By {
    /// The vectors, the outermost first.
    pub vectors: Vec<ByVector>,
    /// The parts that move.
    pub parts: Vec<ByPart>,
    /// How many times, where it is gone round.
    pub times: Option<Value>,
}

/// A vector that moved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ByVector {
    /// The net it belongs to; empty at the top.
    pub net: String,
    /// The connector that it is an interaction of.
    pub connector: Option<String>,
    /// What people call it: `step pass: <…> -> …;`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<String>,
    /// Where it stands.
    pub at: Place,
}

/// A part that moved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ByPart {
    /// Its path; empty when it is the whole.
    pub part: String,
    /// Where it was.
    pub from: String,
    /// Where it is then.
    pub to: String,
    /// Where its transition stands.
    pub at: Place,
    /// What its transition does, as it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Whether it gives or takes the values of its action, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
}

/// What a part does with the values of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// It says what they are.
    Gives,
    /// It takes some of them as they come.
    Takes,
}

/// A place in a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The file, when it is not that of the check.
    pub file: Option<String>,
    /// The line.
    pub line: usize,
}

/// A variable that changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Changed {
    /// The variable.
    pub variable: String,
    /// What it was, if that is known.
    pub before: Option<Value>,
    /// What it is then.
    pub after: Value,
}
