//! Labelled transition systems.

pub mod aut;
mod compare;
mod distinguish;
mod formula;
mod info;
mod overview;
mod partition;
mod quotient;
mod reduce;
pub mod refine;
mod refines;
mod rows;
pub mod shards;
mod silent;
mod simulation;
mod system;
mod traces;
mod union;
mod weak;

pub use compare::{Difference, LtsCompared, LtsQuestion, Side, compare};
pub use formula::{Form, FormulaId, Formulas};
pub use info::{LtsInfo, info};
pub use overview::{Distances, LtsCluster, Overview, OverviewSize, overview};
pub use partition::{BlockId, Partition};
pub use quotient::{Quotienting, Steps, block_system, quotient, reachable};
pub use reduce::{Equivalence, NotReduced, ReduceLimits, TooLarge, reduce};
pub use refines::{Excess, Seen, Then};
pub use rows::Rows;
pub use silent::{Contracted, contract};
pub use simulation::{Simulation, observed, simulated};
pub use system::{LabelTable, Lts, LtsBuilder, LtsLabel, LtsState, LtsStep};
pub use traces::determinised;
pub use union::union;
pub use weak::weakly_refined;
