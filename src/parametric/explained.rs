//! Invariants for people: of a small instance, the sets of states that exclude all that would be bad, as few and as small as can
//! be found by taking the first that does.
//!
//! The engine knows that there are such sets without ever writing one down. Here they are looked for on an instance: the
//! largest trap or siphon that excludes a situation, made smaller as long as it does; sets that are counted place by place, the
//! smallest first.

use std::collections::VecDeque;

use itertools::Itertools;

use super::pattern::{ComponentMove, ComponentStateId, PatternGoal, SystemPattern};
use super::search::{Situation, is_bad};
use super::unfold::{InstanceInteraction, PatternInstance};
use super::values::InvariantFamily;
use crate::base::Budget;

/// Instances with more states of components than this are not explained: a set of them is the bits of one number.
const MOST_PLACES: usize = 128;

/// Instances with more situations, reached or not, are not explained: each is looked at.
const MOST_SITUATIONS: usize = 20_000;

/// So many sets are tried for one situation.
const MOST_TRIED: usize = 20_000;

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

/// A set of places.
type Bits = u128;

/// A set of a family, with how many of it are taken to begin with.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Known {
    family: InvariantFamily,
    set: Bits,
    first: u32,
}

/// Sets of states of all components, as bits.
struct Places<'p> {
    pattern: &'p SystemPattern,
    instance: &'p PatternInstance,
    /// Where the states of each component begin.
    first: Vec<usize>,
    width: usize,
    /// Where each component can begin.
    starts: Vec<Bits>,
    /// What moves together, before and after.
    steps: Vec<(Bits, Bits)>,
}

/// Invariants of some families that exclude every bad situation of an instance; nothing if it is too large, or none are found.
pub fn instance_invariants(
    pattern: &SystemPattern,
    instance: &PatternInstance,
    goal: &PatternGoal,
    families: &[InvariantFamily],
    budget: &Budget,
) -> Option<Vec<InstanceInvariant>> {
    let places = Places::new(pattern, instance)?;
    let mut known: Vec<Known> = Vec::new();
    let mut bad: Vec<Bits> = Vec::new();
    let mut situation: Situation = vec![ComponentStateId(0); instance.components.len()];
    loop {
        if budget.is_spent() {
            return None;
        }
        if is_bad(pattern, instance, goal, &situation) {
            let taken = places.bits(&situation);
            if !known.iter().any(|one| one.excludes(taken)) {
                let each = families.iter();
                known.push(
                    each.filter_map(|family| places.excluding(*family, taken, budget)).next()?,
                );
            }
            bad.push(taken);
        }
        if !places.next(&mut situation) {
            break;
        }
    }
    // What was found first may not be needed any more.
    for at in (0..known.len()).rev() {
        let others = || known.iter().enumerate().filter(|(other, _)| *other != at);
        if bad.iter().all(|taken| others().any(|(_, one)| one.excludes(*taken))) {
            known.remove(at);
        }
    }
    Some(known.iter().map(|one| places.named(one)).collect())
}

impl Known {
    /// Whether it says that a situation cannot be.
    fn excludes(&self, situation: Bits) -> bool {
        let now = (situation & self.set).count_ones();
        match self.family {
            InvariantFamily::Trap => now == 0,
            InvariantFamily::One => now != 1,
            InvariantFamily::Flow => now != self.first,
            InvariantFamily::Siphon => now > 0,
        }
    }
}

impl<'p> Places<'p> {
    fn new(pattern: &'p SystemPattern, instance: &'p PatternInstance) -> Option<Self> {
        let (mut width, mut first, mut situations) = (0, Vec::new(), 1usize);
        for one in &instance.components {
            let states = pattern.types[one.of].states.len();
            first.push(width);
            width += states;
            situations = situations.saturating_mul(states);
        }
        if width > MOST_PLACES || situations > MOST_SITUATIONS || instance.has_more {
            return None;
        }
        let components = instance.components.iter().zip(&first);
        let starts = components.map(|(one, first)| {
            let initial = pattern.types[one.of].initial();
            initial.iter().fold(0, |bits: Bits, state| bits | 1 << (first + state.index()))
        });
        let starts = starts.collect();
        let mut places = Places { pattern, instance, first, width, starts, steps: Vec::new() };
        places.steps = places.moves();
        Some(places)
    }

    fn bits(&self, situation: &Situation) -> Bits {
        let all = situation.iter().zip(&self.first);
        all.fold(0, |bits, (state, first)| bits | 1 << (first + state.index()))
    }

    /// The next of all situations, reached or not.
    fn next(&self, situation: &mut Situation) -> bool {
        for (state, one) in situation.iter_mut().zip(&self.instance.components) {
            if state.index() + 1 < self.pattern.types[one.of].states.len() {
                state.0 += 1;
                return true;
            }
            state.0 = 0;
        }
        false
    }

    fn moves(&self) -> Vec<(Bits, Bits)> {
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

    /// A set of a family that excludes a situation.
    fn excluding(&self, family: InvariantFamily, taken: Bits, budget: &Budget) -> Option<Known> {
        let set = match family {
            InvariantFamily::Trap | InvariantFamily::Siphon => self.closed(family, taken)?,
            InvariantFamily::One | InvariantFamily::Flow => self.counted(family, taken, budget)?,
        };
        Some(Known { family, set, first: self.taken_first(set) })
    }

    /// How many of a set are taken to begin with, where this is clear.
    fn taken_first(&self, set: Bits) -> u32 {
        self.starts.iter().filter(|start| *start & set != 0).count() as u32
    }

    // ---- traps and siphons ----

    /// The largest trap or siphon in a set.
    fn largest(&self, family: InvariantFamily, mut set: Bits) -> Bits {
        loop {
            let before = set;
            for &(pre, post) in &self.steps {
                let (leaves, stays) =
                    if family == InvariantFamily::Trap { (pre, post) } else { (post, pre) };
                if leaves & set != 0 && stays & set == 0 {
                    set &= !leaves;
                }
            }
            if set == before {
                return set;
            }
        }
    }

    /// A trap or siphon that excludes a situation, from which nothing can be left out.
    fn closed(&self, family: InvariantFamily, taken: Bits) -> Option<Bits> {
        let all: Bits = (0..self.width).fold(0, |all, at| all | 1 << at);
        let begun = self.starts.iter().fold(0, |all, start| all | start);
        let fits = |set: Bits| match family {
            InvariantFamily::Trap => {
                self.starts.iter().any(|start| *start != 0 && start & !set == 0)
            }
            _ => set & taken != 0,
        };
        let mut set = match family {
            InvariantFamily::Trap => self.largest(family, all & !taken),
            _ => self.largest(family, all & !begun),
        };
        if !fits(set) {
            return None;
        }
        for at in (0..self.width).rev().filter(|at| set >> at & 1 == 1).collect::<Vec<_>>() {
            let less = self.largest(family, set & !(1 << at));
            set = if fits(less) { less } else { set };
        }
        Some(set)
    }

    // ---- sets that are counted ----

    /// A set of which always as many are taken, and not in a situation; the smallest sets first.
    fn counted(&self, family: InvariantFamily, taken: Bits, budget: &Budget) -> Option<Bits> {
        // What is in, and what is not; of all else nothing is decided.
        let mut open: VecDeque<(Bits, Bits)> = self.seeds(family, taken).into();
        let mut tried = 0;
        while let Some((set, out)) = open.pop_front() {
            tried += 1;
            if tried > MOST_TRIED || budget.is_spent() {
                return None;
            }
            let is_broken = |step: &&(Bits, Bits)| !is_kept(family, set, **step);
            let Some((pre, post)) = self.steps.iter().find(is_broken) else {
                let one = Known { family, set, first: self.taken_first(set) };
                if one.excludes(taken) {
                    return Some(set);
                }
                continue;
            };
            // One of those that could mend it is in; those before it are not.
            let (mut out, could) = (out, (pre | post) & !set & !out);
            for place in (0..self.width).map(|at| 1 << at).filter(|place| could & place != 0) {
                let own = set | self.whole(place);
                let is_one = family == InvariantFamily::Flow || self.taken_first(own) <= 1;
                if own & out == 0 && is_one {
                    open.push_back((own, out));
                }
                out |= place;
            }
        }
        None
    }

    /// A place; with all others in which its component can begin, if it can begin there.
    fn whole(&self, place: Bits) -> Bits {
        let start = self.starts.iter().find(|start| *start & place != 0);
        start.map_or(place, |start| *start)
    }

    /// Where to begin: with one that is taken at first; or with any, where others may be taken.
    fn seeds(&self, family: InvariantFamily, taken: Bits) -> Vec<(Bits, Bits)> {
        if family == InvariantFamily::One {
            let begun = self.starts.iter().fold(0, |all, start| all | start);
            return self.starts.iter().map(|start| (*start, begun & !start)).collect();
        }
        let places = (0..self.width).map(|at| 1 << at).filter(|place| place & taken != 0);
        let starts = self.starts.iter().copied();
        let all = starts.chain(places.map(|place| self.whole(place)));
        all.map(|set| (set, 0)).collect()
    }

    fn named(&self, one: &Known) -> InstanceInvariant {
        let place = |at: usize| {
            let who = self.first.partition_point(|first| *first <= at) - 1;
            (who, ComponentStateId((at - self.first[who]) as u32))
        };
        let places = (0..self.width).filter(|at| one.set >> at & 1 == 1).map(place).collect();
        InstanceInvariant { family: one.family, places, taken: one.first as usize }
    }
}

/// Whether a step keeps a set.
fn is_kept(family: InvariantFamily, set: Bits, (before, after): (Bits, Bits)) -> bool {
    let (before, after) = ((before & set).count_ones(), (after & set).count_ones());
    match family {
        InvariantFamily::Trap => before == 0 || after > 0,
        InvariantFamily::One => before >= 2 || before == after,
        InvariantFamily::Flow => before == after,
        InvariantFamily::Siphon => after == 0 || before > 0,
    }
}
