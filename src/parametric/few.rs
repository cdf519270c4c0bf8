//! Few sets of states of a component, for components with so many states that nobody goes through all sets.
//!
//! Whoever looks at few sets only finds fewer invariants, and those that are found are invariants. The sets here are what is needed for
//! protocols that go step by step, however many steps there are: no state, all, one, all but one, and *regions*, which begin
//! with the moves of one port and end with those of another, such as what is between taking and giving back.

use std::collections::BTreeSet;

use super::bits::StateBits;
use super::pattern::{ComponentType, PatternPortId};

/// Which sets of states of components are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum WhichSets {
    /// All.
    #[default]
    All,
    /// Few, as many as a component has states, or a little more.
    Few,
}

/// Regions are looked at where a component has at most so many ports.
const MOST_PORTS: usize = 16;

/// Few sets of states of a component, each with what is not in it.
pub fn few_sets(of: &ComponentType) -> BTreeSet<StateBits> {
    let all = of.all();
    let single = of.states.ids().map(StateBits::one);
    let some: BTreeSet<StateBits> =
        single.chain(regions(of)).chain([StateBits::default()]).collect();
    let others: Vec<StateBits> = some.iter().map(|set| all.without(set)).collect();
    some.into_iter().chain(others).collect()
}

/// What can be reached after a move by one port, without moves by another.
fn regions(of: &ComponentType) -> Vec<StateBits> {
    let ports: BTreeSet<PatternPortId> = of.moves.iter().map(|step| step.port).collect();
    if ports.len() > MOST_PORTS {
        return Vec::new();
    }
    let mut regions = Vec::new();
    for &begin in &ports {
        for &end in ports.iter().filter(|end| **end != begin) {
            let mut set: StateBits = of.moves_by(begin).map(|step| step.to).collect();
            let inside = || of.moves.iter().filter(|step| step.port != end);
            while let Some(step) = inside().find(|step| set.has(step.from) && !set.has(step.to)) {
                set.insert(step.to);
            }
            regions.push(set);
        }
    }
    regions
}
