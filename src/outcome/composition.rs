//! How a system was made part by part, as data.

use schemars::JsonSchema;
use serde::Serialize;

/// How a system was made part by part: each system on the way, and the largest of them, which decides.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct MadeByParts {
    /// The relation that the result preserves.
    pub relation: String,
    /// The relation by which parts were reduced.
    pub of_parts: String,
    /// What was made, in order.
    pub stages: Vec<Stage>,
    /// The most states that a system on the way had.
    pub most_states: usize,
    /// The most transitions.
    pub most_transitions: usize,
    /// The most bytes that the store of states of a system on the way took.
    pub peak_bytes: u64,
    /// Why parts were reduced by strong bisimilarity only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<NotFree>,
    /// Whether vectors give way to others, which is another reason.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gives_way: bool,
}

/// A system on the way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Stage {
    /// How it was made.
    #[serde(flatten)]
    pub how: StageKind,
    /// What it is of: a part, or several.
    pub of: String,
    /// How many states it has.
    pub states: usize,
    /// How many transitions.
    pub transitions: usize,
    /// How many bytes its store of states took, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}

/// How a system on the way was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StageKind {
    /// A leaf by itself.
    Leaf,
    /// What neighbours allow a part to do.
    Interface {
        /// The neighbours.
        by: Vec<String>,
    },
    /// A leaf under what its neighbours allow.
    Restricted {
        /// The neighbours.
        by: Vec<String>,
    },
    /// Parts together.
    Product,
    /// Made smaller.
    Reduced {
        /// What was preserved.
        by: String,
    },
}

/// A silent step of a part that does not simply happen, so that what counts silent steps only is no congruence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct NotFree {
    /// The part.
    pub part: String,
    /// What it does.
    pub action: String,
    /// The vector that observes it, as it was written; none where no vector lets it happen.
    pub vector: Option<String>,
}

impl MadeByParts {
    /// One more system.
    pub fn add(&mut self, stage: Stage) {
        self.most_states = self.most_states.max(stage.states);
        self.most_transitions = self.most_transitions.max(stage.transitions);
        self.peak_bytes = self.peak_bytes.max(stage.bytes.unwrap_or(0));
        self.stages.push(stage);
    }
}
