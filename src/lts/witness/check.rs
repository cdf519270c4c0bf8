//! Whether something is a witness: step by step, as the relations are defined. Labels are compared by their texts, and no reduced
//! system, no partition and no union of `lts` is used.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;
use thiserror::Error;

use super::{Shape, SidedPair, SidedSet, Witness, shape};
use crate::base::budget::is_spent;
use crate::lts::compare::LtsQuestion;
use crate::lts::reduce::Equivalence;
use crate::lts::refines::Seen;
use crate::lts::system::{Lts, LtsLabel};

/// Why something is no witness. Items are counted from 0.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NoWitness {
    /// It is one of another question.
    #[error("it is no evidence for what was asked")]
    Kind,
    /// There are not as many blocks as states, or a state that there is not.
    #[error("it speaks of states that there are not, or not of all")]
    States,
    /// It has not where the systems begin.
    #[error("where the two systems begin is not in it")]
    Begin,
    /// A state does something else than the others of its block.
    #[error("state {state} of the {system} system does not do what the others of its block do")]
    Block {
        /// The item.
        item: usize,
        /// The state.
        state: u32,
        /// Which system.
        system: &'static str,
    },
    /// A step has no answer.
    #[error("the step `{label}` of state {of} of the {system} system has no answer in it")]
    Step {
        /// The item.
        item: usize,
        /// The state.
        of: u32,
        /// Which system.
        system: &'static str,
        /// What is done.
        label: String,
    },
    /// A state refuses what no state of the other system does after the same trace.
    #[error(
        "state {of} of the {system} system refuses what no state does that the other can be in"
    )]
    Refuses {
        /// The item.
        item: usize,
        /// The state.
        of: u32,
        /// Which system.
        system: &'static str,
    },
    /// A state goes on silently for ever, and the other system cannot after the same trace.
    #[error("state {of} of the {system} system can go on silently for ever, and the other cannot")]
    Diverges {
        /// The item.
        item: usize,
        /// The state.
        of: u32,
        /// Which system.
        system: &'static str,
    },
    /// The budget is spent.
    #[error("it was not looked at to its end")]
    Stopped,
}

impl NoWitness {
    /// Which item is wrong.
    pub fn item(&self) -> Option<usize> {
        match self {
            NoWitness::Block { item, .. }
            | NoWitness::Step { item, .. }
            | NoWitness::Refuses { item, .. }
            | NoWitness::Diverges { item, .. } => Some(*item),
            _ => None,
        }
    }
}

/// A system, plainly: the steps of each state, with labels that both systems share; 0 is the silent one.
struct Plain {
    steps: Vec<Vec<(u32, u32)>>,
    initial: u32,
}

/// Both systems, and the texts of their labels.
struct PlainTwo {
    systems: [Plain; 2],
    labels: Vec<String>,
}

fn name(system: usize) -> &'static str {
    if system == 0 { "first" } else { "second" }
}

impl PlainTwo {
    fn of(first: &Lts, second: &Lts) -> PlainTwo {
        let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
        let mut labels = vec!["tau".to_owned()];
        let mut number = |lts: &Lts, label: LtsLabel| match label.is_silent() {
            true => 0,
            false => *numbers.entry(lts.text(label).to_owned()).or_insert_with(|| {
                labels.push(lts.text(label).to_owned());
                labels.len() as u32 - 1
            }),
        };
        let mut plain = |lts: &Lts| {
            let steps = lts.ids().map(|state| {
                let steps = lts.steps(state).iter();
                steps.map(|step| (number(lts, step.label), step.to.0)).collect()
            });
            Plain { steps: steps.collect(), initial: lts.initial().0 }
        };
        let systems = [plain(first), plain(second)];
        PlainTwo { systems, labels }
    }
}

impl Plain {
    fn steps(&self, state: u32) -> &[(u32, u32)] {
        self.steps.get(state as usize).map_or(&[], Vec::as_slice)
    }

    fn has(&self, state: u32) -> bool {
        (state as usize) < self.steps.len()
    }

    /// All states that silent steps lead to, through states that are allowed.
    fn silently(&self, from: &[u32], through: impl Fn(u32) -> bool) -> BTreeSet<u32> {
        let mut met: BTreeSet<u32> = from.iter().copied().collect();
        let mut open: Vec<u32> = from.to_vec();
        while let Some(state) = open.pop() {
            for &(label, to) in self.steps(state) {
                if label == 0 && through(to) && met.insert(to) {
                    open.push(to);
                }
            }
        }
        met
    }

    /// Where a label leads from any of these.
    fn after(&self, from: &BTreeSet<u32>, label: u32) -> Vec<u32> {
        let steps = from.iter().flat_map(|state| self.steps(*state));
        steps.filter(|(own, _)| *own == label).map(|(_, to)| *to).collect()
    }
}

impl Witness {
    /// Why this does not show that something holds between two systems; nothing if it does.
    pub fn fault(&self, first: &Lts, second: &Lts, question: LtsQuestion) -> Option<NoWitness> {
        let both = PlainTwo::of(first, second);
        let found = match (shape(question), self) {
            (Shape::Blocks(by), Witness::Blocks(blocks)) => both.blocks(by, blocks),
            (Shape::Pairs(two_ways), Witness::Pairs(pairs)) => both.pairs(two_ways, pairs),
            (Shape::Sets(seen, two_ways), Witness::Sets(sets)) => both.sets((seen, two_ways), sets),
            _ => Err(NoWitness::Kind),
        };
        match found {
            _ if is_spent() => Some(NoWitness::Stopped),
            found => found.err(),
        }
    }
}

/// What a state does, by blocks; and whether it goes on silently for ever inside of its own.
type Signature = (BTreeSet<(u32, u32)>, bool);

impl PlainTwo {
    fn blocks(&self, by: Equivalence, blocks: &[u32]) -> Result<(), NoWitness> {
        let [first, second] = &self.systems;
        let cut = first.steps.len();
        if blocks.len() != cut + second.steps.len() {
            return Err(NoWitness::States);
        }
        let of = [&blocks[..cut], &blocks[cut..]];
        if of[0].get(first.initial as usize) != of[1].get(second.initial as usize) {
            return Err(NoWitness::Begin);
        }
        let mut known: BTreeMap<u32, Signature> = BTreeMap::new();
        for (item, &block) in blocks.iter().enumerate() {
            if is_spent() {
                return Err(NoWitness::Stopped);
            }
            let system = usize::from(item >= cut);
            let state = (item - system * cut) as u32;
            let does = self.systems[system].signature(by, of[system], state);
            if *known.entry(block).or_insert_with(|| does.clone()) != does {
                return Err(NoWitness::Block { item, state, system: name(system) });
            }
        }
        Ok(())
    }

    /// The starts of both ways, or of one.
    fn starts(&self, two_ways: bool) -> Vec<(bool, u32, u32)> {
        let [first, second] = [self.systems[0].initial, self.systems[1].initial];
        let mut starts = vec![(false, first, second)];
        starts.extend(two_ways.then_some((true, second, first)));
        starts
    }

    fn pairs(&self, two_ways: bool, pairs: &[SidedPair]) -> Result<(), NoWitness> {
        let all: FxHashSet<SidedPair> = pairs.iter().copied().collect();
        let begin = |(back, of, by): &(bool, u32, u32)| SidedPair { back: *back, of: *of, by: *by };
        if !self.starts(two_ways).iter().all(|start| all.contains(&begin(start))) {
            return Err(NoWitness::Begin);
        }
        for (item, &SidedPair { back, of, by }) in pairs.iter().enumerate() {
            if is_spent() {
                return Err(NoWitness::Stopped);
            }
            let system = usize::from(back);
            let (own, other) = (&self.systems[system], &self.systems[1 - system]);
            if !own.has(of) || !other.has(by) {
                return Err(NoWitness::States);
            }
            let before = other.silently(&[by], |_| true);
            for &(label, to) in own.steps(of) {
                let answers = match label {
                    0 => before.iter().copied().collect(),
                    label => other.after(&before, label),
                };
                let good = |by: &u32| all.contains(&SidedPair { back, of: to, by: *by });
                if !answers.iter().any(good) {
                    return Err(self.unanswered(item, (system, of), label));
                }
            }
        }
        Ok(())
    }

    fn sets(&self, (seen, two_ways): (Seen, bool), sets: &[SidedSet]) -> Result<(), NoWitness> {
        let hides = seen.hides();
        let all: FxHashSet<&SidedSet> = sets.iter().collect();
        let closed = |system: &Plain, from: &[u32]| -> Vec<u32> {
            match hides {
                true => system.silently(from, |_| true).into_iter().collect(),
                false => from.iter().copied().collect::<BTreeSet<u32>>().into_iter().collect(),
            }
        };
        for (back, of, by) in self.starts(two_ways) {
            let by = closed(&self.systems[usize::from(!back)], &[by]);
            if !all.contains(&SidedSet { back, of, by }) {
                return Err(NoWitness::Begin);
            }
        }
        for (item, SidedSet { back, of, by }) in sets.iter().enumerate() {
            if is_spent() {
                return Err(NoWitness::Stopped);
            }
            let system = usize::from(*back);
            let (own, other) = (&self.systems[system], &self.systems[1 - system]);
            if !own.has(*of) || !by.iter().all(|state| other.has(*state)) {
                return Err(NoWitness::States);
            }
            let from: BTreeSet<u32> = by.iter().copied().collect();
            if seen == Seen::FailuresDivergences && other.has_circle(from.clone()) {
                // After that, everything is possible.
                continue;
            }
            self.rests((item, seen), (system, *of), &from)?;
            for &(label, to) in own.steps(*of) {
                let after = match hides && label == 0 {
                    true => by.clone(),
                    false => closed(other, &other.after(&from, label)),
                };
                let next = SidedSet { back: *back, of: to, by: after };
                if next.by.is_empty() || !all.contains(&next) {
                    return Err(self.unanswered(item, (system, *of), label));
                }
            }
        }
        Ok(())
    }

    /// Whether a state refuses only what some state of a set does, and goes on silently for ever only where that does not count.
    fn rests(
        &self,
        (item, seen): (usize, Seen),
        (system, of): (usize, u32),
        set: &BTreeSet<u32>,
    ) -> Result<(), NoWitness> {
        let (own, other) = (&self.systems[system], &self.systems[1 - system]);
        let counts = seen == Seen::FailuresDivergences;
        if counts && own.has_circle(own.silently(&[of], |_| true)) {
            return Err(NoWitness::Diverges { item, of, system: name(system) });
        }
        let is_stable =
            |system: &Plain, state: u32| !system.steps(state).iter().any(|(label, _)| *label == 0);
        if !matches!(seen, Seen::Failures | Seen::FailuresDivergences) || !is_stable(own, of) {
            return Ok(());
        }
        let offers: BTreeSet<u32> = own.steps(of).iter().map(|(label, _)| *label).collect();
        let refuses_as_much = |state: &u32| {
            is_stable(other, *state)
                && other.steps(*state).iter().all(|(label, _)| offers.contains(label))
        };
        match set.iter().any(refuses_as_much) {
            true => Ok(()),
            false => Err(NoWitness::Refuses { item, of, system: name(system) }),
        }
    }

    fn unanswered(&self, item: usize, (system, of): (usize, u32), label: u32) -> NoWitness {
        let label = self.labels.get(label as usize).cloned().unwrap_or_default();
        NoWitness::Step { item, of, system: name(system), label }
    }
}

impl Plain {
    /// What a state does, as a bisimilarity sees it.
    fn signature(&self, by: Equivalence, blocks: &[u32], state: u32) -> Signature {
        let block = |state: u32| blocks.get(state as usize).copied().unwrap_or(u32::MAX);
        let own = block(state);
        let step = |(label, to): &(u32, u32)| (*label, block(*to));
        match by {
            Equivalence::Branching | Equivalence::DivergencePreserving => {
                let inside = self.silently(&[state], |to| block(to) == own);
                let steps = inside.iter().flat_map(|state| self.steps(*state)).map(step);
                let does = steps.filter(|(label, to)| *label != 0 || *to != own).collect();
                let counts = by == Equivalence::DivergencePreserving;
                (does, counts && self.has_circle(inside))
            }
            Equivalence::Weak => {
                let before = self.silently(&[state], |_| true);
                let mut does: BTreeSet<(u32, u32)> =
                    before.iter().map(|state| (0, block(*state))).collect();
                let steps = before.iter().flat_map(|state| self.steps(*state));
                for &(label, to) in steps.filter(|(label, _)| *label != 0) {
                    let after = self.silently(&[to], |_| true);
                    does.extend(after.into_iter().map(|to| (label, block(to))));
                }
                (does, false)
            }
            _ => (self.steps(state).iter().map(step).collect(), false),
        }
    }

    /// Whether silent steps can be made for ever among some states.
    fn has_circle(&self, mut among: BTreeSet<u32>) -> bool {
        loop {
            let goes_on = |state: &u32| {
                self.steps(*state).iter().any(|(label, to)| *label == 0 && among.contains(to))
            };
            let left: BTreeSet<u32> =
                among.iter().copied().filter(|state| goes_on(state)).collect();
            if left.len() == among.len() {
                return !left.is_empty();
            }
            among = left;
        }
    }
}
