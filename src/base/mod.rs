//! What every stage stands on: the budget of the work that is being done, who watches over it, how things are counted and
//! numbered, and what leads to what.

pub mod budget;
mod dice;
pub mod graph;
mod index;
pub mod packed;
mod watch;

pub use budget::{Budget, Spent};
pub use dice::Dice;
pub use index::{Id, IndexVec};
pub use watch::{Unwatched, Watch};
