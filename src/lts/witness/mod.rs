//! What shows how a comparison of two systems came out, so that others can look at it again.
//!
//! Input: two systems and a question that was answered. Output, where it holds: states in blocks for bisimilarities, pairs of
//! states for simulations, or states with sets of states for traces and failures (`find.rs`). Whether something is such a witness is found
//! out step by step, as the relations are defined (`check.rs`): nothing of what found it is used. What tells two systems apart is
//! a trace or a formula, which is evaluated on both (`difference.rs`). `text.rs` has all of them as lines.

mod check;
mod difference;
mod find;
mod text;

pub use check::NoWitness;
pub use difference::{WrongDifference, difference_line, tells_apart};
pub use find::witness;
pub use text::WitnessFault;

use super::compare::LtsQuestion;
use super::reduce::Equivalence;
use super::refines::Seen;

/// What shows that something holds between two systems.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Witness {
    /// The block of each state, of the first system and then of the second.
    Blocks(Vec<u32>),
    /// Pairs of states, the second of which can do all that the first does.
    Pairs(Vec<SidedPair>),
    /// States, each with all states in which the other system can be after the same trace. Where failures count, some state
    /// of the set refuses what the state does where it rests; where divergences do, a set with one has nothing after it.
    Sets(Vec<SidedSet>),
}

/// A state of one system and one of the other; `back` where the first is of the second system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SidedPair {
    /// Whether the roles are exchanged.
    pub back: bool,
    /// The state that is simulated.
    pub of: u32,
    /// The state that simulates it.
    pub by: u32,
}

/// The same with a set of states, in order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SidedSet {
    /// Whether the roles are exchanged.
    pub back: bool,
    /// The state.
    pub of: u32,
    /// The states of the other system.
    pub by: Vec<u32>,
}

/// Which form a witness has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Blocks(Equivalence),
    /// Whether both ways.
    Pairs(bool),
    /// What is seen, and whether both ways.
    Sets(Seen, bool),
}

/// The form of the witnesses of a question.
fn shape(question: LtsQuestion) -> Shape {
    match question {
        LtsQuestion::Equivalent(Equivalence::Trace) => Shape::Sets(Seen::Traces, true),
        LtsQuestion::Equivalent(Equivalence::WeakTrace) => Shape::Sets(Seen::WeakTraces, true),
        LtsQuestion::Equivalent(Equivalence::Safety) => Shape::Pairs(true),
        LtsQuestion::Equivalent(by) => Shape::Blocks(by),
        LtsQuestion::Simulated => Shape::Pairs(false),
        LtsQuestion::Refines(one) => Shape::Sets(one, false),
        LtsQuestion::SeenAlike(one) => Shape::Sets(one, true),
    }
}
