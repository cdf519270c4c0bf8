//! Comparing open automata: bisimilarity and refinement, with evidence.

mod candidates;
mod counting;
mod fixpoint;
mod game;
mod linear;
mod obligations;
mod observing;
mod play;
mod position;
mod reachability;
mod reaching;
mod sequence;
mod simplify;
mod weak;
mod world;

pub use fixpoint::Found;
pub use game::{Answer, Challenge, Game, Pair, Rules};
pub use obligations::{About, Obligation, Relation};
pub use observing::{Observation, Observed};
pub use play::{Move, Play};
pub use reaching::{Duty, Reached, Run};
pub use weak::WeakSteps;
pub use world::{Side, SideId, Step, World, together, why_not_comparable};
