//! Temporal properties of nets: formulas over steps and configurations, and what decides them.
//!
//! Input: a [`Formula`], whose atoms are terms over the variables of a net, over a variable for the state of each leaf, and
//! over one for what a step shows. `lower.rs` makes fixpoints of the operators on runs that people write.
//! `modal.rs` decides formulas of finite systems by parity games (`game.rs`), and `linear.rs` what is said of runs, with
//! fairness, by automata and components; what their atoms say is asked of whoever knows the system (`explicit.rs`), of which not
//! more is made than somebody has to see (`ground.rs`).
//! `observer` makes a component of what is said of all runs, for engines that know invariants.
//! `watched.rs` says what a formula looks at. `vacuity.rs` has stronger formulas, which hold where a part does not matter. `plain.rs` decides the same as it is defined, for
//! those who go through a proof once more.

mod explicit;
mod fair;
mod formula;
mod game;
mod ground;
mod linear;
mod lower;
mod modal;
mod observer;
mod plain;
mod sets;
pub mod symbolic;
mod vacuity;
mod watched;
mod why;

pub use explicit::{Atoms, Bindings, FiniteSystem, MoveId, Undecided};
pub use fair::fairly_lowered;
pub use formula::{
    FairPattern, Fairness, FixId, Formula, Modality, PathFormula, Runs, StateFormula,
    StatePredicate, StepPattern,
};
pub use ground::{Grows, Walk};
pub use linear::{Lasso, counterexample, counterexample_near};
pub use lower::{Fixes, NoFixpoint, after_each, lowered};
pub use modal::Decider;
pub use observer::{Failure, Observed};
pub use plain::PlainDecider;
pub use vacuity::{PartStands, Strengthened, strengthened};
pub use why::{Shown, ShownEnd, decided, decided_walking};
