//! Searching the configurations of a net: breadth first, so that what is found is as near as it can be, on several threads.
//!
//! Input: a [`Machine`], a goal, and limits. Output: how much there is, or a path to what was looked for. Claimed: what is
//! found does not depend on how many threads there are; a search that met a limit, or left out values, is never called
//! complete; a path is a shortest one, except to where a property has some value when steps were left out (`reduced.rs`).
//!
//! Nothing recurses: nets may be deeper than any stack.

mod again;
mod breadth;
mod depth;
mod guided;
mod lines;
mod look;
mod reduced;
mod round;
pub mod spread;
mod store;
mod threads;

use super::{Gap, Machine};
use crate::base::Spent;

pub use again::never_again;
pub use breadth::{Searched, search, search_reduced};
pub use depth::{DepthSearched, Way, find_cycle, search_deep};
pub use guided::{Guided, Observer, guided};
pub use lines::{Line, Numbering, each_line};
pub use store::Ref;

/// How far a search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// How many configurations may be kept.
    pub most_states: u64,
    /// How many steps may be made in all, about.
    pub most_transitions: u64,
    /// How many steps may be made from where it begins.
    pub most_depth: u64,
    /// How many threads work.
    pub jobs: usize,
    /// Whether steps are counted, which takes time: each once that shows the same, and leads to the same.
    pub count: bool,
    /// Whether it goes on when it has found what it looks for.
    pub thorough: bool,
}

impl Default for SearchLimits {
    fn default() -> SearchLimits {
        SearchLimits {
            most_states: u64::MAX,
            most_transitions: u64::MAX,
            most_depth: u64::MAX,
            jobs: 1,
            count: true,
            thorough: false,
        }
    }
}

/// What is looked for.
#[derive(Debug)]
pub enum Goal<'p, M: Machine> {
    /// Nothing: all of it is explored.
    Everything,
    /// A configuration without steps in which some component is not in a final state.
    Deadlock,
    /// A configuration in which a property has this value, or none at all.
    Property(&'p M::Property, bool),
    /// A configuration with two steps that show the same and lead to different ones.
    Choice,
}

impl<M: Machine> Clone for Goal<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Machine> Copy for Goal<'_, M> {}

/// What was seen on the way: the first configuration of each kind, in the order of the search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sights {
    /// What was looked for.
    pub goal: Option<Ref>,
    /// The property that was looked at has no value.
    pub no_value: Option<Ref>,
    /// It has no steps with values that are tried; whether it has others is not known.
    pub maybe_stuck: Option<Ref>,
    /// Nothing can be said about it.
    pub gap: Option<(Ref, Gap)>,
}

impl Sights {
    /// Adds what was seen later.
    fn then(&mut self, later: &Sights) {
        self.goal = self.goal.or(later.goal);
        self.no_value = self.no_value.or(later.no_value);
        self.maybe_stuck = self.maybe_stuck.or(later.maybe_stuck);
        if self.gap.is_none() {
            self.gap.clone_from(&later.gap);
        }
    }
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// There is nothing more.
    Complete,
    /// Something was found, and nothing more was looked at.
    Found,
    /// It met the limit on configurations, or on all steps.
    States,
    /// It met the limit on depth.
    Depth,
    /// Its budget was spent.
    Spent(Spent),
}

/// How much was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Counts {
    /// Configurations.
    pub states: u64,
    /// Steps: each once that shows the same, and leads to the same. Of configurations that were looked at.
    pub transitions: u64,
    /// Configurations without steps in which some component is not in a final state.
    pub deadlocks: u64,
    /// Configurations without steps in which all components are in final states.
    pub finals: u64,
    /// The steps to what is farthest.
    pub depth: u64,
    /// How many bytes the configurations take, with their entries in tables.
    pub bytes: u64,
}

#[cfg(test)]
mod tests;
