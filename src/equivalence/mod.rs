//! Comparing open automata: bisimilarity and refinement, with evidence; and what one of them can reach.
//!
//! Input: two open automata of one program, and what is played for. Output: a relation that meets its obligations, a
//! play that tells the two apart, or why neither was found. Relations and reachability predicates that are found here
//! are only candidates until all their obligations are met; plays and runs have concrete values, put to the solver
//! again move by move.

mod candidates;
mod counting;
mod fewer;
mod fixpoint;
mod game;
mod obligations;
mod observing;
mod play;
mod position;
mod reachability;
mod reaching;
mod sequence;
mod settle;
mod shown;
mod simplify;
mod weak;
mod world;

pub use fixpoint::Found;
pub use game::{Answer, Challenge, Game, Pair, Rules};
pub use obligations::{About, Counterexample, Obligation, Relation};
pub use observing::Observation;
pub use play::{Given, Move, Play};
pub use reaching::{Duty, Reached, Run};
pub use settle::Change;
pub use shown::{short, with_short_guards};
pub use weak::WeakSteps;
pub use world::{Side, SideId, Step, World, together, why_not_comparable};
