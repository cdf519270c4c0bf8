//! From nets to networks of labelled transition systems, and systems made part by part.
//!
//! Input: a closed net with finite data. Each leaf is made by itself (`alone.rs`), with its actions and their values as
//! labels (`alphabet.rs`); the vectors of each node are written out for the actions that its parts really have
//! (`plan.rs`), which makes networks (`networks.rs`). `flat.rs` takes the levels away, and
//! `generate.rs` makes the system of the whole by a `Method` (`method.rs`).
//!
//! Claimed: the product of the network of a node is the labelled transition system of the node: the same states, the same
//! steps. Whether silent steps of parts are free, so that parts can be reduced by relations that do not count them, is
//! looked at action by action, before `sync a` and `tau` become one label.

mod alone;
mod alphabet;
mod flat;
mod generate;
mod marks;
mod method;
mod networks;
mod plan;
mod root;
mod run;

pub use alone::{Alone, Labels, Seeing};
pub use alphabet::{Alphabet, FINAL};
pub use flat::FlatPlan;
pub use generate::{ComposedSystem, PartialSystem, generate};
pub use marks::{FOUND, Marking, NotMarked};
pub use method::Method;
pub use networks::{ObservedStep, Silence, silenced};
pub use plan::{Bound, ComposePlan, MadeLeaf, NodePlan, NotByParts, PlanOptions};
pub use root::root_network;
pub use run::{AtEnd, Guide, guided_run, shortest};
