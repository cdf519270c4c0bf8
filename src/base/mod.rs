//! What every stage stands on: the budget of the work that is being done, who watches over it, and how things are
//! counted and numbered.

pub mod budget;
mod index;
mod watch;

pub use budget::{Budget, Spent};
pub use index::{Id, IndexVec};
pub use watch::{Unwatched, Watch};
