//! What backs a verdict.

use schemars::JsonSchema;
use serde::Serialize;

use super::reason::Fails;
use super::reason::Reason;
use super::run::{Component, Trace};
use super::trace::{Equation, Place, TraceStep};

/// What backs a verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Evidence {
    /// Nothing but the word.
    None,
    /// A relation between the states of two nets.
    Relation(RelationFound),
    /// A reachability predicate.
    Predicate(Predicate),
    /// A play that tells two nets apart.
    Play(Play),
    /// A run that leads to something.
    Run(Box<Trace>),
    /// An invariant that was found.
    Invariant(InvariantFound),
    /// Sets of configurations for the fixpoints of a formula.
    Fixpoints {
        /// One for each fixpoint.
        sets: Vec<FixpointSets>,
    },
    /// Of a proof for every size: what invariants say in the smallest ones.
    Sizes {
        /// Some sizes, smallest first.
        instances: Vec<SizeInvariants>,
    },
    /// Where an invariant that was given is no proof.
    Broken(Box<Broken>),
    /// Values for which a claim about data does not hold.
    Values {
        /// What each variable is.
        values: Vec<Equation>,
    },
    /// Where a relation that was given fails.
    Failures {
        /// One for each obligation that is not met.
        failures: Vec<Failure>,
    },
}

/// A relation: its pairs, and the item that can be put into the model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RelationFound {
    /// The two nets.
    pub nets: (String, String),
    /// The pairs of states that it relates.
    pub pairs: Vec<RelatedPair>,
    /// The text of an item that says so.
    pub item: String,
}

/// An invariant: what holds in all configurations that can be reached, as an item that can be put into the model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct InvariantFound {
    /// The net.
    pub net: String,
    /// The text of an item that says so.
    pub item: String,
}

/// Where a fixpoint of a formula holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FixpointSets {
    /// Whether it is a greatest one: all that it says leads to itself. What a least one says leads to smaller layers.
    pub greatest: bool,
    /// The set, or the layers from the smallest on.
    pub layers: Vec<FixpointLayer>,
}

/// A layer of a fixpoint.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FixpointLayer {
    /// Natural numbers that get smaller from configuration to configuration, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranks: Vec<String>,
    /// The states in which something is in it, each with what holds there.
    pub states: Vec<StateClaim>,
}

/// What excludes everything bad in a system of one size.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SizeInvariants {
    /// The instance: `n = 5`, `Ring<3>`.
    pub instance: String,
    /// What is always so: `exactly one of P[i] in eating, F[i] in free, for i from 0 to 2`.
    pub invariants: Vec<String>,
}

/// Two states that are related.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RelatedPair {
    /// The state of the first net.
    pub first: String,
    /// The state of the second net.
    pub second: String,
    /// When; nothing where it is always.
    pub when: Option<String>,
}

/// What holds whenever a state is reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Predicate {
    /// One for each state.
    pub states: Vec<StateClaim>,
    /// The same as an `invariant` that can be put into the model, unless it would be too long, or a check takes none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
}

/// What holds in a state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct StateClaim {
    /// The state.
    pub state: String,
    /// What holds there; nothing where nothing is known.
    pub holds: Option<String>,
}

/// A play: one net makes a step, the other answers, until it cannot.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Play {
    /// The two nets.
    pub nets: (String, String),
    /// The values of symbolic constants, and of uninterpreted functions where they matter.
    pub with: Vec<Equation>,
    /// The values that variables without an initial value begin with.
    pub begins: Vec<Equation>,
    /// What else it needs of constants for which no values were found.
    pub needs: Vec<String>,
    /// The moves.
    pub moves: Vec<PlayMove>,
    /// The two states in which the first net is stuck at the end, and the second is not; nor can it get stuck silently,
    /// where silent steps do not count.
    pub stuck: Option<(String, String)>,
    /// Whether silent steps do not count.
    pub weak: bool,
}

/// A move of a play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct PlayMove {
    /// The states of the two nets.
    pub at: (String, String),
    /// The step that is made.
    pub step: TraceStep,
    /// What the other net does about it.
    pub reply: Reply,
}

/// What a net does about a step of the other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "most replies are steps")]
pub enum Reply {
    /// Nothing: it has no answer.
    None {
        /// The net.
        net: String,
    },
    /// It stays where it is.
    Stays {
        /// The net.
        net: String,
    },
    /// It makes this step.
    Step(TraceStep),
}

/// Something that had to be met.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Obligation {
    /// What it is about.
    #[serde(flatten)]
    pub about: ObligationKind,
    /// What became of it.
    pub status: Status,
}

/// What an obligation is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ObligationKind {
    /// The initial configurations are related.
    Initial,
    /// A step is answered.
    Answered {
        /// The states of the two nets.
        at: (String, String),
        /// Whether it is the first net's.
        of_first: bool,
        /// Its number.
        step: usize,
    },
    /// Where the first net is stuck, the second is.
    StuckTogether {
        /// The states of the two nets.
        at: (String, String),
    },
    /// Where the first net is stuck, the second can get stuck by silent steps, or is stuck.
    StuckSilently {
        /// The states of the two nets.
        at: (String, String),
    },
    /// A predicate holds at first.
    HoldsFirst,
    /// A step keeps a predicate.
    Kept {
        /// Where it starts.
        state: String,
        /// Its number.
        step: usize,
    },
    /// In a state, what is bad does not meet the predicate.
    KeepsAway {
        /// The state.
        state: String,
    },
    /// Where the set of a greatest fixpoint holds in a state, so does what the fixpoint says.
    FixpointKept {
        /// The number of the fixpoint.
        fixpoint: usize,
        /// The state.
        state: String,
    },
    /// Where a layer of a least fixpoint holds in a state, so does what the fixpoint says, because of smaller ones.
    LayerReached {
        /// The number of the fixpoint.
        fixpoint: usize,
        /// The number of the layer.
        layer: usize,
        /// The state.
        state: String,
    },
    /// A formula holds at first, because of the sets of its fixpoints.
    FormulaFirst,
    /// An invariant that was given holds at first.
    InvariantFirst,
    /// A step keeps an invariant that was given.
    InvariantKept {
        /// Where it starts.
        state: String,
        /// Its number.
        step: usize,
    },
    /// An interaction keeps an invariant.
    InvariantKeptBy {
        /// The interaction: what it shows, and who takes part.
        interaction: String,
    },
    /// An invariant excludes what must not be reached.
    InvariantExcludes,
    /// In a state, an invariant that was given implies what is claimed.
    InvariantImplies {
        /// The state.
        state: String,
    },
}

/// What became of an obligation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is met.
    Met,
    /// It is not.
    Failed,
    /// It is not known; what the solver said.
    Unknown(String),
}

/// Where a relation fails.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Failure {
    /// What is not met.
    pub obligation: Obligation,
    /// The net whose step it is about, and where the step starts and ends.
    pub goes: Option<(String, String, String)>,
    /// A step that nothing answers, with values.
    pub step: Option<FailedStep>,
}

impl From<Failure> for Reason {
    fn from(failure: Failure) -> Reason {
        Reason::Unmet(Box::new(failure))
    }
}

/// A step that nothing answers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FailedStep {
    /// The states of the two nets.
    pub at: (String, String),
    /// The values that it needs.
    pub with: Vec<Equation>,
    /// The step.
    pub step: TraceStep,
    /// The net that has no answer.
    pub other: String,
    /// Whether it has one that leads to configurations that are not related.
    pub answered: bool,
}

/// Where an invariant that was given is no proof: a configuration, which need not be reachable, and what is so there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Broken {
    /// The invariant.
    pub invariant: String,
    /// What it does not do.
    pub fails: Fails,
    /// The condition of the invariant that does not hold, at first or after the step.
    pub condition: Option<BrokenCondition>,
    /// The values of symbolic constants, and of uninterpreted functions where they matter.
    pub with: Vec<Equation>,
    /// The components: where they are, and the values of their variables.
    pub components: Vec<Component>,
    /// How many more components there are, each as it begins.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    pub resting: usize,
    /// Whether the net begins there.
    pub begins: bool,
    /// The step that breaks it.
    pub step: Option<TraceStep>,
}

/// A condition of an invariant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct BrokenCondition {
    /// What it says.
    pub text: String,
    /// Where it stands.
    pub at: Option<Place>,
}

/// What a proof found, as the text of an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found(pub String);
