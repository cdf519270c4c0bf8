//! Pairs of small models to be compared, and a comparison of them that goes through all their configurations.

mod explicit;
mod refining;
mod twin;

pub use explicit::{Facts, Lts, facts, world};
pub use refining::{Tracking, diverges, weakly_refines};
pub use twin::{Kind, delay, mutate, pair, shuffle, split};

/// Two nets in one text.
#[derive(Clone, Debug)]
pub struct Pair {
    pub text: String,
    pub left: String,
    pub right: String,
}
