//! Concrete exploration: what a net does, configuration by configuration, with values.
//!
//! Input: a pNet, and the values that symbolic constants and the environment are tried with ([`Domains`]). Output:
//! configurations, steps between them, and what a search over them finds. Nothing here knows the rules, facts and solvers
//! of the symbolic side, so that each side can be tested against the other.
//!
//! There are two interpreters that share no code but the data of this file's neighbours: a plain one, which is as close to
//! the definitions as it can be, and replays what the other one finds; and a fast one, which compiles a net and searches.

pub mod compiled;
mod configuration;
mod domains;
mod gap;
mod luggage;
mod machine;
pub mod naive;
mod named;
mod options;
mod property;
mod reduction;
pub mod search;
pub mod symmetry;
mod value;

pub use configuration::{Configuration, Constants, Step, Steps};
pub use domains::{Domain, Domains};
pub use gap::{Gap, MOST_AT_ONCE};
pub use luggage::{Luggage, Packing, Unpacking};
pub use machine::{Machine, Moves, Packed};
pub use named::{DomainProblem, NamedDomain};
pub use options::{EngineChoice, ExploreOptions};
pub use property::{Property, Read};
pub use reduction::{Preserved, Reduce, Reduction, Symmetry};
pub use value::{Array, Value};
