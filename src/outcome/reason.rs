//! Why a verdict is what it is.

use schemars::JsonSchema;
use serde::Serialize;

use super::evidence::{Failure, ObligationKind};
use crate::base::Spent;

/// Why a verdict is what it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reason {
    // ---- proved, or refuted ----
    /// The automaton has so many states and transitions.
    Size {
        /// The states.
        states: usize,
        /// The open transitions.
        transitions: usize,
        /// Whether these are the figures of the claim.
        as_claimed: bool,
    },
    /// A relation was found that meets its obligations.
    RelationFound {
        /// The pairs of states that it relates.
        pairs: usize,
        /// What it had to meet.
        obligations: usize,
    },
    /// The relation that was given meets its obligations.
    RelationMeets {
        /// What it had to meet.
        obligations: usize,
    },
    /// All pairs of configurations that a comparison can come to were looked at, and related.
    PairsRelated {
        /// The pairs that are related.
        pairs: usize,
        /// The configurations of both nets.
        configurations: usize,
    },
    /// A reachability predicate was found that keeps away from what is bad.
    PredicateFound {
        /// What it had to meet.
        obligations: usize,
    },
    /// Sets were found for the fixpoints of a formula.
    FixpointsFound {
        /// What they had to meet.
        obligations: usize,
    },
    /// The invariant that was given meets its obligations.
    InvariantMeets {
        /// What it had to meet.
        obligations: usize,
        /// Whether it excludes what was to be reached.
        never: bool,
    },
    /// An engine found an invariant, which meets its obligations.
    InvariantFound {
        /// The engine.
        engine: String,
        /// How many conditions it has.
        conditions: usize,
        /// Whether it excludes what was to be reached.
        never: bool,
    },
    /// A claim about data holds for all values.
    Valid {
        /// The variable of the induction that shows it; nothing where the solver saw it at once.
        on: Option<String>,
        /// What the proof had to meet.
        obligations: usize,
    },
    /// A claim about data does not hold for some values.
    NotValid,
    /// Neither the solver nor induction settles a claim about data.
    ValidityOpen {
        /// Whether there are values for which it seems to fail; what they come to depends on constants and functions without
        /// a definition, or on quantifiers.
        seems_false: bool,
    },
    /// No hole is filled, so nothing can be blocked.
    NothingFilled,
    /// The two are told apart by a play.
    ToldApart {
        /// Its moves.
        moves: usize,
    },
    /// The relation that was given fails in these pairs of states.
    RelationFails {
        /// The pairs.
        pairs: Vec<String>,
    },
    /// The relation that was given does not relate the initial configurations.
    RelationFailsInitially,
    /// A run leads to where nothing is possible.
    Blocked {
        /// Its steps.
        steps: usize,
    },
    /// A run leads to where nothing is possible, though not all components are in final states.
    Deadlock {
        /// Its steps.
        steps: usize,
    },
    /// A run leads to where the property does not hold.
    PropertyFails {
        /// Its steps.
        steps: usize,
    },
    /// A run leads to where the property holds.
    PropertyReached {
        /// Its steps.
        steps: usize,
    },
    /// A reachability predicate keeps away from where the property holds.
    PropertyNever {
        /// What it had to meet.
        obligations: usize,
    },
    /// All configurations were looked at.
    Explored(Extent),
    /// A run does otherwise than a formula says, or as it says.
    OneRun {
        /// The steps up to its end, or its loop.
        steps: usize,
        /// The steps of its loop; none where it ends.
        round: usize,
        /// Whether it does as the formula says.
        shows: bool,
    },
    /// Two parts of a net leave each other alone: a formula holds of each by itself, and in the net.
    LeftAlone {
        /// The parts.
        parts: [String; 2],
    },
    /// A formula does not hold of a part of a net by itself, or of one in the net although it holds of the part by itself.
    PartFails {
        /// The part.
        part: String,
        /// Whether it is in the net that it does not.
        together: bool,
        /// Why.
        why: Box<Reason>,
    },
    /// A formula is false where the net begins, as all configurations that were looked at tell.
    FormulaFails(Extent),
    /// A formula is false where the net begins, and no run has to be seen for it.
    FalseAtFirst,
    /// The system was made part by part, and this relation carries the verdict over to the net.
    Composed {
        /// The relation.
        relation: String,
        /// The states of the result.
        states: usize,
        /// The most states of a system on the way.
        most: usize,
        /// Whether what was to be reached never is.
        never: bool,
    },
    /// Two systems, made part by part where that was said, are related, and this relation carries the verdict over to the nets.
    ComposedRelated {
        /// The relation.
        relation: String,
        /// The pairs that are related.
        pairs: usize,
        /// The most states of a system on the way.
        most: usize,
    },
    /// None of all configurations that can be reached is one in which the property holds.
    NeverHolds(Extent),
    /// A run leads to where two steps show the same and lead to different configurations.
    Choice {
        /// Its steps.
        steps: usize,
    },
    /// A run leads to where it can go round for ever.
    Circle {
        /// Its steps.
        steps: usize,
        /// The steps once round.
        round: usize,
    },
    /// A run leads to where an action can never happen again.
    NeverAgain {
        /// Its steps.
        steps: usize,
    },
    /// A scenario is possible, with a run of so many steps.
    ScenarioRuns {
        /// Its steps.
        steps: usize,
    },
    /// A scenario is not possible: its first parts are, up to this one.
    ScenarioStops {
        /// How many of its parts are possible one after the other.
        done: usize,
        /// The text of the part that is not.
        stops_at: String,
        /// How much was looked at.
        extent: Extent,
    },
    /// It is so in every size.
    EverySize {
        /// `all`, or `some` where there is a largest size.
        sizes: String,
        /// By what sizes are named.
        of: Box<SizedBy>,
        /// Up to this size, each was looked at by itself.
        searched: Option<i64>,
        /// The kinds of invariants that prove it for all others.
        invariants: Vec<String>,
        /// Who decided that they do: `inclusion` of tree automata, or `MONA`; nobody where all sizes were looked at.
        engine: Option<String>,
        /// Whether what was to be reached never is.
        never: bool,
    },
    // ---- unknown ----
    /// It is not known of every size.
    NotEverySize {
        /// By what sizes are named.
        of: Box<SizedBy>,
        /// Why, in words.
        why: Option<String>,
        /// Up to this size, nothing was found.
        fine: Option<i64>,
        /// A situation that no invariant excludes. It need not be one that can be reached.
        model: Option<Box<SizeModel>>,
    },
    /// MONA decides claims about every size, and this is none.
    NotForMona,
    /// The system was not made part by part.
    NotComposed {
        /// Why.
        why: String,
    },
    /// The reduced system shows this on the way to what is looked for, and no run of the net was found that does.
    RunNotFound {
        /// What is seen.
        trace: Vec<String>,
    },
    /// The systems that were made part by part are told apart, and no play of the nets was found.
    PlayNotFound {
        /// Why.
        why: String,
    },
    /// Nothing was found in a part of the configurations.
    NotFound {
        /// How much was looked at.
        extent: Extent,
        /// Why not more.
        limit: ExploreLimit,
    },
    /// The nets were not compared configuration by configuration.
    NotFinite {
        /// Why, in words.
        why: String,
    },
    /// Something has no value where it is needed.
    Gap {
        /// What, in words.
        why: String,
        /// After how many steps.
        steps: usize,
    },
    /// Whether a configuration is stuck depends on values that are not tried.
    MaybeStuck {
        /// After how many steps.
        steps: usize,
    },
    /// There are too many ways in which components can move together.
    TooManyInteractions,
    /// An engine has tried all it can.
    GaveUp {
        /// The engine.
        engine: String,
        /// Nothing was found in so many steps.
        depth: Option<usize>,
    },
    /// An engine found an invariant that was not confirmed.
    InvariantUnconfirmed {
        /// The engine.
        engine: String,
        /// What the solver said, where it does not know.
        why: Option<String>,
    },
    /// The run that was found could not be made again by the plain interpreter.
    NotReplayed {
        /// Why.
        why: String,
    },
    /// A run leads to where the property reads what has no value.
    PropertyWithoutValue {
        /// Its steps.
        steps: usize,
    },
    /// What a scenario demands reads what has no value somewhere.
    DemandWithoutValue,
    /// The property calls functions, of which it is not known where they have values.
    PropertyCalls,
    /// What the property says is not clear.
    UnclearProperty {
        /// Why.
        why: String,
    },
    /// Somebody stopped the work.
    Stopped,
    /// It was not looked at, because somebody stopped the work before.
    NotLookedAt,
    /// Somebody stopped the work when so much was found.
    StoppedAfter {
        /// The states.
        states: usize,
        /// The open transitions.
        transitions: usize,
    },
    /// The budget was spent, and perhaps something else was known before.
    Spent {
        /// What was spent.
        #[serde(serialize_with = "as_text")]
        #[schemars(with = "String")]
        spent: Spent,
        /// Why it was not known before.
        before: Option<Box<Reason>>,
    },
    /// The work did not come to its end when it was told to, and was left behind.
    LeftBehind {
        /// In words.
        why: String,
    },
    /// Nothing answers questions of this kind yet.
    NotAnswered,
    /// The check has errors.
    Incomplete,
    /// Anything would follow from the axioms, with the values that were set.
    AxiomsContradict,
    /// It is not known whether all transitions can happen.
    UnsureTransitions {
        /// The states.
        states: usize,
        /// The open transitions.
        transitions: usize,
        /// Those that may not happen.
        unsure: usize,
        /// What the solver said.
        why: String,
    },
    /// The two cannot be compared.
    NotComparable(Incomparable),
    /// The relation that was given is one of other nets.
    RelationOfOthers {
        /// Its name.
        relation: String,
        /// The nets it is about.
        its_nets: Vec<String>,
        /// The nets of the check.
        nets: Vec<String>,
    },
    /// The relation that was given says nothing about these nets.
    UnclearRelation {
        /// Why.
        why: String,
    },
    /// The invariant that was given is no proof.
    InvariantFails {
        /// What it does not do.
        fails: Fails,
        /// Which of its conditions does not hold.
        condition: Option<String>,
    },
    /// An interaction breaks a condition of the invariant that was given.
    InvariantBroken {
        /// The condition.
        condition: Option<String>,
        /// The interaction: what it shows, and who takes part.
        by: String,
    },
    /// The invariant that was given says nothing about this net.
    UnclearInvariant {
        /// Why.
        why: String,
    },
    /// An obligation is not met, or not known to be.
    Unmet(Box<Failure>),
    /// The predicate that was found does not hold.
    PredicateFails,
    /// It is not known whether a predicate meets an obligation.
    UnsureObligation {
        /// The obligation.
        obligation: ObligationKind,
        /// What the solver said.
        why: String,
    },
    /// Not all silent steps could be followed, so answers may be missing.
    SilentStepsMissing,
    /// The two seem to differ, but no play could be made.
    NoPlay,
    /// There seems to be a run, but it was lost.
    NoRun,
    /// Conditions grow beyond all measure.
    ConditionsGrow {
        /// So many terms.
        terms: usize,
    },
    /// No relation was found in so many rounds.
    NoRelation {
        /// The rounds.
        rounds: usize,
    },
    /// No sets were found for the fixpoints of a formula.
    NoFixpoints {
        /// The rounds that each was looked for.
        rounds: usize,
    },
    /// A formula does not hold for some values, but these were not found.
    FormulaWithoutRun,
    /// It was not settled in so many steps.
    NotSettled {
        /// The steps.
        steps: usize,
    },
    /// Relations of simple conditions did not settle.
    SimpleNotSettled,
    /// Too many questions were not answered in the little time that they got.
    TooHurried,
    /// The solver does not know.
    Solver {
        /// What it was asked for; nothing where that is plain.
        asked: Option<Asked>,
        /// What it said.
        why: String,
    },
    /// The holes of a net cannot be looked at alone.
    HolesNotAlone {
        /// Why.
        why: String,
    },
    /// The states of the net with its holes open were not found.
    ContextNotFound,
    /// Several ways were tried, each in vain.
    Tried {
        /// Why each was.
        ways: Vec<Reason>,
    },
}

/// How much was explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Extent {
    /// Configurations.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// The steps to what is farthest.
    pub depth: u64,
    /// Whether these stand for more: steps were made in one order only that could be made in any, or of configurations that
    /// are alike one was looked at.
    pub reduced: bool,
}

/// Why not everything was explored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExploreLimit {
    /// The number of configurations that may be kept.
    States,
    /// The number of steps from the beginning.
    Depth,
    /// Time, memory, or somebody who stopped it.
    Budget,
    /// Values that were not tried: those that were, as they were given.
    Domains(Vec<String>),
}

/// What an invariant does not do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fails {
    /// It does not hold at first.
    First,
    /// A step leads from where it holds to where it does not.
    Kept,
    /// It does not imply the property.
    Implies,
    /// It does not exclude what was to be reached.
    Excludes,
    /// It does not imply that the property reads only what has a value.
    Value,
    /// It does not imply that a step is possible.
    Deadlock,
}

/// What the solver was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// Whether a round of the game has more than the one before.
    CompareRounds,
}

/// Why two nets cannot be compared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Incomparable {
    /// One has a hole that the other lacks.
    HoleMissing {
        /// The net that has it.
        net: String,
        /// The hole.
        hole: String,
        /// The net that lacks it.
        other: String,
        /// For a refinement, the holes that could be tracked instead of all.
        tracking: Option<Vec<String>>,
    },
    /// A hole has different sorts in the two.
    HoleSorts {
        /// The hole.
        hole: String,
    },
    /// A hole that is to be tracked is missing.
    Untracked {
        /// The hole.
        hole: String,
        /// The net that lacks it.
        net: String,
    },
    /// A family that is to be tracked as a whole is filled in part.
    TrackedInPart {
        /// The family.
        family: String,
        /// The member that is a hole of one of them only.
        hole: String,
        /// The net that has it.
        net: String,
        /// The net that lacks it.
        other: String,
    },
}

impl Reason {
    /// What the solver says where it does not know: it may have been stopped.
    pub fn solver(why: String) -> Reason {
        if why == STOPPED { Reason::Stopped } else { Reason::Solver { asked: None, why } }
    }
}

/// What is said in the place of an answer when somebody stops the work.
pub const STOPPED: &str = "stopped";

fn as_text<S: serde::Serializer>(spent: &Spent, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&spent.to_string())
}

/// What the sizes of a system are called.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SizedBy {
    /// A constant without a value.
    Constant {
        /// Its name.
        name: String,
        /// Its smallest value.
        from: i64,
        /// Its largest, if there is one.
        to: Option<i64>,
    },
    /// Several constants without a value.
    Constants {
        /// Each of them.
        sizes: Vec<OneSize>,
    },
    /// The rules of an architecture: the size is the number of components.
    Architecture {
        /// Its name.
        name: String,
    },
}

impl SizedBy {
    /// Whether there is a largest size.
    pub fn has_end(&self) -> bool {
        match self {
            SizedBy::Constant { to, .. } => to.is_some(),
            SizedBy::Constants { sizes } => sizes.iter().all(|size| size.to.is_some()),
            SizedBy::Architecture { .. } => false,
        }
    }
}

/// One of several sizes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct OneSize {
    /// The constant.
    pub name: String,
    /// Its smallest value.
    pub from: i64,
    /// Its largest, if there is one.
    pub to: Option<i64>,
    /// Up to this value, each was looked at by itself, with all values of the others.
    pub alone: Option<i64>,
}

/// A situation of a system of some size.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SizeModel {
    /// The instance: `n = 5`, `Ring<3>`.
    pub instance: String,
    /// Where each component is.
    pub components: Vec<String>,
}
