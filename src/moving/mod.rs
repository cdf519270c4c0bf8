//! Components as finite automata: what is kept of their data, and how they move together.
//!
//! Input: the safety problem of a net. Output: the states of its components, with the values of variables that have few, and
//! for each interaction who moves how together, and whether that must be possible or only may be. What else components know
//! is forgotten: a move *may* happen if something that was forgotten lets it, and *must* be possible only where it is so
//! whatever was forgotten.
//!
//! Both front doors of `parametric` make their components of this.

mod apart;
mod datum;
mod moves;
mod space;

pub use datum::Datum;
pub use moves::{Block, Move, Moving, Together};
pub use space::{ForgottenVariable, Space};
