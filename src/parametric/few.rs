//! Few sets of states of a component, for components with so many states that nobody counts in all sets of them.
//!
//! Whoever looks at few sets only finds fewer invariants, and those that are found are invariants. The sets here are what is needed for
//! protocols that go step by step, however many steps there are: no state, all, one, and all but one.

use std::collections::BTreeSet;

use super::bits::StateBits;
use super::pattern::ComponentType;

/// Which sets of states of components are counted in. (Traps and siphons need no such choice.)
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum WhichSets {
    /// All.
    #[default]
    All,
    /// Few: twice as many as a component has states.
    Few,
}

/// Few sets of states of a component, each with what is not in it.
pub fn few_sets(of: &ComponentType) -> BTreeSet<StateBits> {
    let all = of.all();
    let some = of.states.ids().map(StateBits::one).chain([StateBits::default()]);
    let some: BTreeSet<StateBits> = some.collect();
    let others: Vec<StateBits> = some.iter().map(|set| all.without(set)).collect();
    some.into_iter().chain(others).collect()
}
