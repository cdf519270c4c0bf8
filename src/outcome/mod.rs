//! What comes out of a check, as data: a verdict, the reason, and the evidence that backs it.
//!
//! Nothing here is a sentence: words, JSON and pictures are made of these in `emit`. What is said of values, states and
//! parts is said by name, so that an outcome can be read without the automata that it came from. The types are also the
//! schema of what programs read (`docs/json.md`).

mod composition;
mod coverage;
mod evidence;
mod reason;
mod run;
mod stepping;
mod trace;
mod value;

use schemars::JsonSchema;
use serde::Serialize;

pub use composition::{MadeByParts, NotFree, Stage, StageKind};
pub use coverage::{Coverage, Covered, Ended, NeverSeen};
pub use evidence::{
    Broken, BrokenCondition, Evidence, FailedStep, Failure, FixpointLayer, FixpointSets, Found,
    InvariantFound, Obligation, ObligationKind, Play, PlayMove, Predicate, RelatedPair,
    RelationFound, Reply, SizeInvariants, StateClaim, Status,
};
pub use reason::{
    Asked, ExploreLimit, Extent, Fails, Incomparable, OneSize, Reason, STOPPED, SizeModel, SizedBy,
};
pub use run::{Component, RunEnd, Trace};
pub use stepping::{Blocked, Choices, Obstructed, Position, StepAnswer, WhyNot};
pub use trace::{By, ByPart, ByVector, Changed, Equation, Place, Role, TraceStep};
pub use value::{Data, Value};

/// What came out of a check, and only what was established.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The claim holds.
    Proved,
    /// The claim does not hold.
    Refuted,
    /// It is not known.
    Unknown,
}

impl Verdict {
    /// `proved`, `refuted` or `unknown`.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Refuted => "refuted",
            Verdict::Unknown => "unknown",
        }
    }

    /// The verdict on the opposite claim.
    #[must_use]
    pub fn opposite(self) -> Verdict {
        match self {
            Verdict::Proved => Verdict::Refuted,
            Verdict::Refuted => Verdict::Proved,
            Verdict::Unknown => Verdict::Unknown,
        }
    }
}

/// Why a claim that holds says less than it seems to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Vacuity {
    /// One of the nets has no transitions.
    NoTransitions {
        /// The net.
        net: String,
    },
    /// Neither of the two nets has transitions.
    NoTransitionsAtAll,
    /// A hole never moves: whatever fills it does not matter.
    StillHole {
        /// The hole.
        hole: String,
        /// Its net.
        net: String,
    },
    /// A pair of a relation names a state that is never reached.
    UnreachedPair {
        /// The pair as it was written.
        pair: String,
    },
    /// A part of a property says nothing, since what it depends on never happens.
    Idle {
        /// What never holds together; or what of a disjunction always holds.
        parts: Vec<String>,
        /// Whether it always holds.
        always: bool,
        /// The names that may stand for anything in it.
        whatever: Vec<String>,
        /// The part of the property.
        claim: String,
    },
    /// A part of a formula could say anything.
    NoMatter {
        /// The part.
        part: String,
        /// What it could be.
        could_be: bool,
        /// What stands before `=>` and never comes true, if that is why.
        never: Option<String>,
    },
    /// No hole is filled.
    NothingFilled,
    /// With its holes open, the net can do nothing.
    NothingToBlock,
}

/// What is to be known about an outcome.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Note {
    /// A net observes silent actions of a hole: what is found out says nothing about it with the hole filled.
    Observes {
        /// The net.
        net: String,
        /// The hole.
        hole: String,
        /// The state.
        state: String,
        /// What is observed.
        what: Observed,
    },
    /// The first net of a weak refinement can go on silently for ever, and the second cannot, as far as is known.
    Diverges {
        /// The first net.
        net: String,
        /// The second.
        other: String,
        /// Whether it goes on only as long as holes move.
        with_holes: bool,
        /// What is known.
        known: Divergence,
    },
    /// A run that refutes a claim needs holes to do this.
    HolesDid {
        /// What each did last.
        does: Vec<HoleAction>,
    },
    /// A hole can give a variable, of which the property speaks, any value.
    HoleGives {
        /// The hole.
        hole: String,
        /// What it does then.
        action: String,
        /// The variable.
        variable: String,
    },
    /// That a net with holes is free of deadlocks says something of a filling only together with `nonblocking`.
    ForFillings,
    /// What some run does, or some step, it does where holes play along.
    Cooperates,
    /// Values of variables were left out, since nothing that is asked depends on them.
    LeftOut {
        /// The variables.
        variables: Vec<String>,
    },
    /// Where a run came to, a part of a net could make a step by itself, and cannot make it in the net.
    Taken {
        /// The part.
        part: String,
        /// The step.
        step: String,
        /// The other part.
        other: String,
    },
    /// Somewhere only silent steps of holes are possible.
    OnlySilent {
        /// The holes that have such steps.
        holes: Vec<String>,
        /// The state.
        state: String,
        /// How many steps lead there.
        steps: usize,
    },
    /// A text of the property has no value at the end of a run.
    WithoutValue {
        /// The text: an index, a divisor, a call.
        text: String,
        /// Why it has none.
        why: NoValue,
        /// Where it stands, if that is in the model.
        at: Option<Place>,
    },
    /// A run that refutes a claim begins with a value that nobody chose.
    NoInitialValue {
        /// The variable.
        variable: String,
        /// What it begins with.
        value: String,
        /// Where it is declared.
        at: Option<Place>,
    },
    /// What was refuted is the relation that was given; another one may do.
    RelationAlone,
    /// How a system was made part by part.
    Composed(MadeByParts),
    /// This is about the instance with these values of constants.
    Instance {
        /// As they are set on the command line.
        set: Vec<String>,
    },
    /// This is about an unfolding of an architecture.
    Unfolding {
        /// As it is called in a check: `Ring<3>`.
        name: String,
    },
    /// A claim about every size was looked at without the values of these variables.
    Forgotten {
        /// The variables, by their components.
        variables: Vec<String>,
    },
    /// Sizes that the axioms do not allow were left out.
    SizesLeftOut,
    /// A proof has no certificate.
    NoCertificate {
        /// Why.
        why: String,
    },
}

/// Why something has no value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NoValue {
    /// A family has no member with this index.
    Member {
        /// The family.
        family: String,
        /// The indices of its members, in words.
        indices: String,
    },
    /// It is no place of an array, or outside of its range.
    Outside,
    /// It is zero, and something is divided by it.
    Divisor,
    /// A function has no value for its arguments.
    Call,
    /// A field of it is changed that it does not have.
    Field,
}

/// What a hole did in a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct HoleAction {
    /// The hole.
    pub hole: String,
    /// What it did.
    pub action: String,
    /// In which step, the first being 1.
    pub step: usize,
}

/// What is known of the silent steps of two nets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Divergence {
    /// The first can go on silently for ever, and the second cannot.
    FirstAlone,
    /// The first can, and the second perhaps cannot.
    First,
    /// The second cannot, and the first perhaps can.
    NotSecond,
}

/// What a net observes of a hole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Observed {
    /// `tau` cannot pass unseen.
    Tau,
    /// Not every synchronised action can pass unseen.
    Sync,
    /// More happens when the hole is silent.
    More,
}

/// How much there was to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Statistics {
    /// The states of the automata that the check is about.
    pub states: usize,
    /// Their open transitions.
    pub transitions: usize,
    /// How many questions the solver was asked about them once they were there.
    pub queries: usize,
    /// Nodes of a tree, or candidates for an invariant, where an engine made some.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub nodes: usize,
    /// Predicates that an engine used.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub predicates: usize,
    /// How often an engine refined what it looked at.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub refinements: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A verdict and what backs it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// Why.
    pub reason: Reason,
    /// What backs it.
    pub evidence: Evidence,
    /// What a proof, or a relation that was given, had to meet, with what became of it.
    pub obligations: Vec<Obligation>,
    /// What is to be known about it.
    pub notes: Vec<Note>,
    /// Why a claim that holds says less than it seems to: there is nothing, or less, that it speaks of.
    pub vacuous: Vec<Vacuity>,
    /// How much there was to look at.
    pub statistics: Statistics,
    /// What a proof found, in the forms in which a certificate can be made of it.
    #[serde(skip)]
    pub found: Vec<Found>,
}

impl Outcome {
    /// An outcome with nothing but a verdict and its reason.
    pub fn new(verdict: Verdict, reason: Reason) -> Outcome {
        Outcome {
            verdict,
            reason,
            evidence: Evidence::None,
            obligations: Vec::new(),
            notes: Vec::new(),
            vacuous: Vec::new(),
            statistics: Statistics::default(),
            found: Vec::new(),
        }
    }

    /// It is not known, and why.
    pub fn unknown(reason: Reason) -> Outcome {
        Outcome::new(Verdict::Unknown, reason)
    }
}
