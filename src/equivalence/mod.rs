//! Comparing open automata: bisimilarity and refinement as a game on two systems, with evidence.
//!
//! Input: two open automata of one program, and what is played for. Output: a relation that meets its obligations, a
//! play that tells the two apart, or why neither was found. Relations that are found here are
//! only candidates until all their obligations are met; plays have concrete values, put to the solver again move by
//! move.

mod candidates;
mod counting;
mod diverging;
mod fixpoint;
mod game;
mod obligations;
mod observing;
mod offered;
mod play;
mod sequence;
mod sides;
mod weak;

pub use fixpoint::Fixpoint;
pub use game::{Game, GameRules, Pair};
pub use obligations::{About, Counterexample, Relation, VerificationCondition};
pub use offered::offered;
pub use play::SymbolicPlay;
pub use sides::{Both, Holes, Product, SideId, Sides, why_not_comparable};
pub use weak::{WeakSteps, weak_steps};
