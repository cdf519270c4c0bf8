//! Pairs of small models to be compared, and a comparison of them that goes through all their configurations.

mod explicit;
mod twin;

pub use explicit::{Facts, Lts, facts};
pub use twin::{Kind, pair};

/// Two nets in one text.
#[derive(Clone, Debug)]
pub struct Pair {
    pub text: String,
    pub left: String,
    pub right: String,
}
