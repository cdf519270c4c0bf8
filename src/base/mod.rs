//! What every stage stands on: the budget of the work that is being done.

pub mod budget;

pub use budget::{Budget, Spent};
