//! The meaning of nets and of open automata, played out with concrete values.
//!
//! Nothing here is shared with the compiler but the types of its results: terms have an evaluator of their own,
//! a net is run as its definition says, and an open automaton as its transitions say. So what the compiler
//! makes of a net can be compared with what the net does.
//!
//! Data is finite: `Int` stands for a few numbers around zero. A configuration in which an integer gets out of
//! them, or in which something has no value that is known (a division by zero, an uninterpreted function, the
//! field of another constructor), is in [`Trouble`], and nothing is said about it.

mod agree;
mod concrete;
mod eval;
mod net;
mod orders;
mod value;
mod world;

pub use agree::{Agreement, agree, compare, compare_ordered};
pub use concrete::Concrete;
pub use eval::{Context, Env};
pub use net::{Explicit, Reached};
pub use orders::Orders;
pub use value::{Config, Step, Value};
pub use world::World;

/// Why nothing can be said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// Something has no value that is known.
    Unknown(&'static str),
    /// An integer is outside of those that are played with.
    Escaped(i64),
}
