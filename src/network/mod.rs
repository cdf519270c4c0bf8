//! Networks of labelled transition systems: parts that move together by vectors of labels (Lang, "Refined Interfaces for
//! Compositional Verification", RR-5996, Definition 5).
//!
//! It needs nothing of models: a network comes from files, or from a net whose parts were explored.

mod behaviour;
mod choose;
mod compose;
pub mod exp;
mod firing;
mod interface;
mod merge;
mod on_the_way;
mod product;
mod restrict;
mod simplify;
mod tuples;
mod vectors;

pub use behaviour::{Behaviour, NotGenerated};
pub use compose::{
    ComposeLimits, ComposeReport, ComposeStep, Composed, NamedMember, NotComposed, TooLargeStep,
    WhyStrong, compose, compose_first,
};
pub use interface::{RefinedInterface, Smaller, SystemSize, refined_interface};
pub use on_the_way::ProductOnTheWay;
pub use product::{Product, ProductFigures, ProductLimits, product};
pub use restrict::{Controls, Interface, Restricted, restrict};
pub use vectors::{Network, NetworkPart, NetworkPartId, NetworkVector, NetworkVectorId, Synchron};
