//! What every stage stands on: the budget of the work that is being done, who watches over it, and how things are counted.

pub mod budget;
mod digits;
mod watch;

pub use budget::{Budget, Spent};
pub(crate) use digits::next_digits;
pub use watch::{Unwatched, Watch};
