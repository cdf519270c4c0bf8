//! What the tests share: random numbers, the models of the project, generators of whole programs, and a way to
//! run something on many inputs so that a failure can be replayed.

#![allow(
    dead_code,
    unused_imports,
    clippy::explicit_auto_deref,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::single_range_in_vec_init,
    reason = "each test uses a part of this"
)]

pub mod alike;
pub mod bordering;
pub mod browser;
pub mod configurations;
pub mod exp;
pub mod explicit;
pub mod explored;
pub mod fillings;
pub mod formulas;
pub mod glue;
pub mod loose;
pub mod lsp;
pub mod mcrl2;
pub mod mixed;
pub mod models;
pub mod mutate;
pub mod nets;
pub mod networks;
pub mod pairs;
pub mod patience;
pub mod patterns;
pub mod planting;
pub mod properties;
pub mod random;
pub mod said;
pub mod sayings;
pub mod seeds;
pub mod served;
pub mod shrink;
pub mod sources;
pub mod syntactic;
pub mod systems;
pub mod theory;
pub mod valid;
pub mod values;
pub mod verified;

pub use models::{check_files, check_text, examples, models};
pub use patience::Patience;
pub use random::Random;
pub use sources::Memory;
