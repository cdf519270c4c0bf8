//! Invariants for people: of a small instance, the sets of states that exclude all that would be bad, as few and as small as can
//! be found by taking the smallest first.

use itertools::Itertools;

use super::pattern::{ComponentMove, ComponentStateId, PatternGoal, SystemPattern};
use super::search::{Situation, initial, is_bad};
use super::unfold::{InstanceInteraction, PatternInstance};
use super::values::InvariantFamily;
use crate::base::Budget;

/// Instances with more states of components than this are not explained: all sets of them are gone through.
const MOST_PLACES: usize = 16;

/// An invariant of an instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstanceInvariant {
    /// Of which family.
    pub family: InvariantFamily,
    /// Components, by their places, in states.
    pub places: Vec<(usize, ComponentStateId)>,
    /// How many of them are taken, where this is always the same.
    pub taken: usize,
}

impl InstanceInvariant {
    /// What it says: `exactly one of x1 in busy, y1 in busy`, with names for components.
    pub fn words(
        &self,
        pattern: &SystemPattern,
        instance: &PatternInstance,
        name: impl Fn(usize) -> String,
    ) -> String {
        let place = |(who, state): &(usize, ComponentStateId)| {
            let of = &pattern.types[instance.components[*who].of];
            format!("{} in {}", name(*who), of.states[*state].label)
        };
        let places = self.places.iter().map(place).join(", ");
        match self.family {
            InvariantFamily::Trap => format!("at least one of {places}"),
            InvariantFamily::One => format!("exactly one of {places}"),
            InvariantFamily::Flow => format!("exactly {} of {places}", self.taken),
            InvariantFamily::Siphon => format!("none of {places}"),
        }
    }
}

/// Sets of states of all components, as bits.
struct Places<'p> {
    pattern: &'p SystemPattern,
    instance: &'p PatternInstance,
    /// Where the states of each component begin.
    first: Vec<usize>,
    width: usize,
}

/// Invariants of some families that exclude every bad situation of an instance; nothing if it is too large, or they do not.
pub fn instance_invariants(
    pattern: &SystemPattern,
    instance: &PatternInstance,
    goal: &PatternGoal,
    families: &[InvariantFamily],
    budget: &Budget,
) -> Option<Vec<InstanceInvariant>> {
    let places = Places::new(pattern, instance)?;
    let known: Vec<(InvariantFamily, u32, u32)> = places.invariants(families, budget)?;
    let mut used: Vec<usize> = Vec::new();
    for situation in places.situations() {
        if budget.is_spent() {
            return None;
        }
        let taken = places.bits(&situation);
        if !is_bad(pattern, instance, goal, &situation)
            || used.iter().any(|at| excludes(&known[*at], taken))
        {
            continue;
        }
        used.push(known.iter().position(|one| excludes(one, taken))?);
    }
    used.sort_unstable();
    Some(used.into_iter().map(|at| places.named(&known[at])).collect())
}

/// Whether an invariant says that a situation cannot be.
fn excludes((family, set, first): &(InvariantFamily, u32, u32), situation: u32) -> bool {
    let now = (situation & set).count_ones();
    match family {
        InvariantFamily::Trap => now == 0,
        InvariantFamily::One => now != 1,
        InvariantFamily::Flow => now != *first,
        InvariantFamily::Siphon => now > 0,
    }
}

impl<'p> Places<'p> {
    fn new(pattern: &'p SystemPattern, instance: &'p PatternInstance) -> Option<Self> {
        let mut width = 0;
        let mut first = Vec::new();
        for one in &instance.components {
            first.push(width);
            width += pattern.types[one.of].states.len();
        }
        (width <= MOST_PLACES).then_some(Places { pattern, instance, first, width })
    }

    fn bits(&self, situation: &Situation) -> u32 {
        let all = situation.iter().zip(&self.first);
        all.fold(0, |bits, (state, first)| bits | 1 << (first + state.index()))
    }

    /// All situations, reached or not.
    fn situations(&self) -> Vec<Situation> {
        let states = |of| self.pattern.types[of].states.ids().collect::<Vec<_>>();
        let all = self.instance.components.iter().map(|one| states(one.of));
        all.fold(vec![Vec::new()], |known: Vec<Situation>, states| {
            let more = known.iter().cartesian_product(&states);
            more.map(|(known, state)| known.iter().chain([state]).copied().collect()).collect()
        })
    }

    /// What moves together, before and after.
    fn steps(&self) -> Vec<(u32, u32)> {
        let moves = |interaction: &InstanceInteraction| {
            let of = |who: usize| &self.pattern.types[self.instance.components[who].of];
            let each =
                interaction.members.iter().map(|(who, port)| -> Vec<(usize, ComponentMove)> {
                    of(*who).moves_by(*port).map(|step| (*who, *step)).collect()
                });
            each.multi_cartesian_product().collect::<Vec<_>>()
        };
        let bit = |who: usize, state: ComponentStateId| 1 << (self.first[who] + state.index());
        let step = |moves: Vec<(usize, ComponentMove)>| {
            moves.iter().fold((0, 0), |(before, after), (who, step)| {
                (before | bit(*who, step.from), after | bit(*who, step.to))
            })
        };
        let all = self.instance.interactions.iter().flat_map(moves).map(step);
        all.sorted_unstable().dedup().collect()
    }

    /// All invariants, those with the fewest places first, with how many of these are taken to begin with.
    fn invariants(
        &self,
        families: &[InvariantFamily],
        budget: &Budget,
    ) -> Option<Vec<(InvariantFamily, u32, u32)>> {
        let steps = self.steps();
        let starts: Vec<u32> =
            initial(self.pattern, self.instance).map(|start| self.bits(&start)).collect();
        let mut found = Vec::new();
        for set in (0..1u32 << self.width).sorted_by_key(|set| (set.count_ones(), *set)) {
            if budget.is_spent() {
                return None;
            }
            let first = starts.first().map_or(0, |start| (start & set).count_ones());
            for &family in families {
                let begins =
                    starts.iter().all(|start| fits(family, (start & set).count_ones(), first));
                if begins && steps.iter().all(|step| is_kept(family, set, *step)) {
                    found.push((family, set, first));
                }
            }
        }
        Some(found)
    }

    fn named(&self, (family, set, taken): &(InvariantFamily, u32, u32)) -> InstanceInvariant {
        let place = |at: usize| {
            let who = self.first.partition_point(|first| *first <= at) - 1;
            (who, ComponentStateId((at - self.first[who]) as u32))
        };
        let places = (0..self.width).filter(|at| set >> at & 1 == 1).map(place).collect();
        InstanceInvariant { family: *family, places, taken: *taken as usize }
    }
}

/// Whether a set with so many taken to begin with can be an invariant, where `first` are in one of the beginnings.
fn fits(family: InvariantFamily, taken: u32, first: u32) -> bool {
    match family {
        InvariantFamily::Trap => taken > 0,
        InvariantFamily::One => taken == 1,
        InvariantFamily::Flow => taken == first,
        InvariantFamily::Siphon => taken == 0,
    }
}

/// Whether a step keeps a set.
fn is_kept(family: InvariantFamily, set: u32, (before, after): (u32, u32)) -> bool {
    let (before, after) = ((before & set).count_ones(), (after & set).count_ones());
    match family {
        InvariantFamily::Trap => before == 0 || after > 0,
        InvariantFamily::One => before >= 2 || before == after,
        InvariantFamily::Flow => before == after,
        InvariantFamily::Siphon => after == 0 || before > 0,
    }
}
