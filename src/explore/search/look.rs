//! Looking at one configuration: whether it is what is looked for, and which steps it has.

use super::store::Ref;
use super::{Counts, Goal, Sights};
use crate::explore::{Gap, Machine, Moves};

/// What one thread works with.
pub(super) struct Worker<M: Machine> {
    pub scratch: M::Scratch,
    /// The configuration that is looked at.
    pub words: Vec<u64>,
    /// Its steps.
    pub moves: Moves,
    /// The steps in an order in which equal ones stand side by side.
    order: Vec<(u64, u32)>,
    /// Those that are followed while others wait.
    pub chosen: Vec<u32>,
}

/// What was seen so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub counts: Counts,
    pub sights: Sights,
    /// Whether values were left out.
    pub limited: bool,
    /// Whether steps wait, or configurations stand for others.
    pub reduced: bool,
}

/// How many words a configuration has; a net without components has one configuration.
pub(super) fn words_of<M: Machine>(machine: &M) -> usize {
    machine.bits().div_ceil(64).max(1)
}

/// How many bytes a configuration has in the store.
pub(super) fn stride_of<M: Machine>(machine: &M) -> usize {
    machine.bits().div_ceil(8).max(1)
}

impl<M: Machine> Worker<M> {
    pub fn new(machine: &M) -> Worker<M> {
        let words = words_of(machine);
        Worker {
            scratch: machine.scratch(),
            words: vec![0; words],
            moves: Moves::new(words),
            order: Vec::new(),
            chosen: Vec::new(),
        }
    }

    /// Makes the steps of the configuration.
    pub fn make_steps(&mut self, machine: &M, labels: bool) -> Result<(), Gap> {
        self.moves.clear();
        machine.steps(&mut self.scratch, &self.words, labels, &mut self.moves)
    }

    /// The steps that differ in what they show or where they lead, in order.
    pub fn different(&mut self) -> Vec<usize> {
        let mut kept: Vec<usize> = Vec::with_capacity(self.moves.len());
        side_by_side(&self.moves, &mut self.order, true);
        for group in groups(&self.order) {
            kept.extend(differ(&self.moves, group));
        }
        kept.sort_unstable();
        kept
    }
}

impl Seen {
    /// Adds what was seen later.
    pub fn then(&mut self, later: &Seen) {
        self.counts.transitions += later.counts.transitions;
        self.counts.deadlocks += later.counts.deadlocks;
        self.counts.finals += later.counts.finals;
        self.sights.then(&later.sights);
        self.limited |= later.limited;
        self.reduced |= later.reduced;
    }

    /// Looks at the configuration that the worker has, and makes its steps; none where nothing can be said.
    pub fn look<M: Machine>(
        &mut self,
        machine: &M,
        (goal, count): (Goal<'_, M>, bool),
        worker: &mut Worker<M>,
        at: Ref,
    ) {
        if let Err(gap) = self.look_or_gap(machine, (goal, count), worker, at) {
            worker.moves.clear();
            self.sights.gap.get_or_insert((at, gap));
        }
    }

    fn look_or_gap<M: Machine>(
        &mut self,
        machine: &M,
        (goal, count): (Goal<'_, M>, bool),
        worker: &mut Worker<M>,
        at: Ref,
    ) -> Result<(), Gap> {
        if let Goal::Property(property, wanted) = goal {
            match machine.holds(&mut worker.scratch, property, &worker.words)? {
                Some(value) if value != wanted => {}
                Some(_) => _ = self.sights.goal.get_or_insert(at),
                None => _ = self.sights.no_value.get_or_insert(at),
            }
        }
        worker.make_steps(machine, count || matches!(goal, Goal::Choice))?;
        self.limited |= worker.moves.limited;
        if worker.moves.is_empty() {
            self.stuck(machine.is_final(&worker.words), (goal, at), worker.moves.limited);
        } else {
            self.steps((goal, count), worker, at);
        }
        Ok(())
    }

    /// A configuration without steps.
    fn stuck<M: Machine>(&mut self, is_final: bool, (goal, at): (Goal<'_, M>, Ref), limited: bool) {
        if is_final {
            self.counts.finals += 1;
        } else if limited {
            self.sights.maybe_stuck.get_or_insert(at);
        } else {
            self.counts.deadlocks += 1;
            if matches!(goal, Goal::Deadlock) {
                self.sights.goal.get_or_insert(at);
            }
        }
    }

    /// Counts steps that differ, and looks for two that show the same.
    fn steps<M: Machine>(
        &mut self,
        (goal, count): (Goal<'_, M>, bool),
        worker: &mut Worker<M>,
        at: Ref,
    ) {
        let Worker { moves, order, .. } = worker;
        if matches!(goal, Goal::Choice) && chooses(moves, order) {
            self.sights.goal.get_or_insert(at);
        }
        let many = if count { distinct(moves, order) } else { moves.len() };
        self.counts.transitions += many as u64;
    }
}

/// A number by which equal steps are found.
fn mixed(words: &[u64], seed: u64) -> u64 {
    let mix =
        |hash: u64, word: &u64| (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    words.iter().fold(seed, mix)
}

/// Puts steps side by side that show the same, and lead to the same if that matters.
fn side_by_side(moves: &Moves, order: &mut Vec<(u64, u32)>, targets: bool) {
    let key = |step: usize| {
        let label = mixed(moves.label(step), 7);
        if targets { mixed(moves.target(step), label) } else { label }
    };
    order.clear();
    order.extend((0..moves.len()).map(|step| (key(step), step as u32)));
    order.sort_unstable();
}

/// How many steps differ in what they show or where they lead.
fn distinct(moves: &Moves, order: &mut Vec<(u64, u32)>) -> usize {
    if moves.len() < 2 {
        return moves.len();
    }
    side_by_side(moves, order, true);
    groups(order).map(|group| differ(moves, group).count()).sum()
}

/// Whether two steps show the same and lead to different configurations.
fn chooses(moves: &Moves, order: &mut Vec<(u64, u32)>) -> bool {
    side_by_side(moves, order, false);
    let splits =
        |a: usize, b: usize| moves.label(a) == moves.label(b) && moves.target(a) != moves.target(b);
    groups(order).any(|group| {
        let all = group.iter().enumerate();
        let mut pairs = all.flat_map(|(at, a)| group[at + 1..].iter().map(move |b| (a.1, b.1)));
        pairs.any(|(a, b)| splits(a as usize, b as usize))
    })
}

/// Steps that stand side by side because their numbers are the same.
fn groups(order: &[(u64, u32)]) -> impl Iterator<Item = &[(u64, u32)]> {
    order.chunk_by(|a, b| a.0 == b.0)
}

/// Those of a group that differ from all before them: nearly always one.
fn differ<'m>(moves: &'m Moves, group: &'m [(u64, u32)]) -> impl Iterator<Item = usize> + 'm {
    let same = |a: u32, b: u32| {
        let (a, b) = (a as usize, b as usize);
        moves.target(a) == moves.target(b) && moves.label(a) == moves.label(b)
    };
    let all = group.iter().enumerate();
    let new = all.filter(move |(at, one)| !group[..*at].iter().any(|other| same(other.1, one.1)));
    new.map(|(_, one)| one.1 as usize)
}
