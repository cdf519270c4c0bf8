//! Networks of labelled transition systems: parts that move together by vectors of labels (Lang, "Refined Interfaces for
//! Compositional Verification", RR-5996, Definition 5).
//!
//! It needs nothing of models: a network comes from files, or from a net whose parts were explored.

mod behaviour;
mod vectors;

pub use behaviour::{Behaviour, NotGenerated};
pub use vectors::{Network, NetworkPart, NetworkPartId, NetworkVector, NetworkVectorId, Synchron};
