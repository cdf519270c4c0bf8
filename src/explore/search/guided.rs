//! A search for a run that somebody describes: the configurations of a machine, together with how far the description is.
//!
//! An [`Observer`] says how steps change what it has seen. What it accepts is found by a shortest run; where there is none,
//! the run that gets farthest is known.

use std::hash::Hash;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::depth::Way;
use super::look::Worker;
use super::{Counts, Ended, SearchLimits};
use crate::base::Watch;
use crate::explore::{Gap, Machine, Packed};

/// Somebody who watches a run.
pub trait Observer {
    /// How far it is.
    type State: Clone + Eq + Hash;

    /// How far it is at first.
    fn begin(&self) -> Self::State;

    /// How far it is in a configuration without another step, what it was included; in a fixed order.
    fn settled(&mut self, state: &Self::State, at: &[u64]) -> Result<Vec<Self::State>, Gap>;

    /// How far it is after a step with this label; in a fixed order.
    fn after(&mut self, state: &Self::State, label: &[u64]) -> Result<Vec<Self::State>, Gap>;

    /// How far that is, as a number.
    fn rank(&self, state: &Self::State) -> usize;

    /// Whether it is content.
    fn accepts(&self, state: &Self::State) -> bool;
}

/// What a guided search came to.
#[derive(Debug)]
pub struct Guided<S> {
    /// How many pairs of configurations and states of the observer were looked at.
    pub counts: Counts,
    /// How it ended.
    pub ended: Ended,
    /// Whether values were left out.
    pub limited: bool,
    /// Why nothing can be said about some configuration.
    pub gap: Option<Gap>,
    /// A shortest run to what is accepted, or to what gets farthest.
    pub way: Way,
    /// How far the observer is then.
    pub last: S,
}

/// A configuration, and how far the observer is.
type Pair<S> = (Packed, S);

struct Search<'s, M: Machine, O: Observer> {
    machine: &'s M,
    observer: &'s mut O,
    worker: Worker<M>,
    /// Where each pair was reached from.
    met: IndexMap<Pair<O::State>, Option<usize>, FxBuildHasher>,
    /// How many steps each pair is away.
    depths: Vec<u64>,
    /// Whether there are steps from pairs that are as far away as may be.
    beyond: bool,
    /// The first pair with the largest rank.
    farthest: usize,
    accepted: Option<usize>,
    transitions: u64,
    limited: bool,
    gap: Option<Gap>,
}

/// Searches for a run that an observer accepts. There must be a configuration to begin with.
pub fn guided<M: Machine, O: Observer>(
    machine: &M,
    observer: &mut O,
    limits: &SearchLimits,
    watch: &dyn Watch,
) -> Result<Option<Guided<O::State>>, Gap> {
    let (initial, limited) = machine.initial()?;
    let mut search = Search {
        machine,
        observer,
        worker: Worker::new(machine),
        met: IndexMap::default(),
        depths: Vec::new(),
        beyond: false,
        farthest: 0,
        accepted: None,
        transitions: 0,
        limited,
        gap: None,
    };
    for packed in initial {
        let begin = search.observer.begin();
        search.meet(&packed, &begin, None);
    }
    if search.met.is_empty() {
        return Ok(None);
    }
    let ended = search.run(limits, watch);
    Ok(Some(search.result(ended)))
}

impl<M: Machine, O: Observer> Search<'_, M, O> {
    fn run(&mut self, limits: &SearchLimits, watch: &dyn Watch) -> Ended {
        let (budget, mut at) = (watch.budget(), 0);
        while at < self.met.len() {
            if self.accepted.is_some() {
                return Ended::Found;
            }
            if budget.is_spent() {
                return budget.spent().map_or(Ended::States, Ended::Spent);
            }
            if self.met.len() as u64 > limits.most_states
                || self.transitions > limits.most_transitions
            {
                return Ended::States;
            }
            if at.is_multiple_of(4096) {
                watch.exploring(self.met.len() as u64, self.transitions, 0);
            }
            if let Err(gap) = self.look(at, limits.most_depth) {
                self.gap.get_or_insert(gap);
            }
            at += 1;
        }
        match (self.accepted, self.beyond) {
            (Some(_), _) => Ended::Found,
            (None, true) => Ended::Depth,
            (None, false) => Ended::Complete,
        }
    }

    /// Makes all steps from a pair, unless they lead too far away.
    fn look(&mut self, at: usize, most_depth: u64) -> Result<(), Gap> {
        let Some(((packed, state), _)) = self.met.get_index(at) else { return Ok(()) };
        let state = state.clone();
        self.worker.words.copy_from_slice(packed);
        self.worker.make_steps(self.machine, true)?;
        self.limited |= self.worker.moves.limited;
        if self.depths[at] >= most_depth {
            self.beyond |= !self.worker.moves.is_empty();
            return Ok(());
        }
        for step in 0..self.worker.moves.len() {
            self.transitions += 1;
            let after = self.observer.after(&state, self.worker.moves.label(step))?;
            let target = Packed::from(self.worker.moves.target(step));
            for next in after {
                self.meet(&target, &next, Some(at));
            }
        }
        Ok(())
    }

    /// Notes a pair, and those that it comes to without another step.
    fn meet(&mut self, packed: &Packed, state: &O::State, from: Option<usize>) {
        match self.observer.settled(state, packed) {
            Ok(all) => all.into_iter().for_each(|state| self.note(packed, state, from)),
            Err(gap) => _ = self.gap.get_or_insert(gap),
        }
    }

    fn note(&mut self, packed: &Packed, state: O::State, from: Option<usize>) {
        let (rank, accepts) = (self.observer.rank(&state), self.observer.accepts(&state));
        let entry = self.met.entry((packed.clone(), state));
        let place = entry.index();
        entry.or_insert(from);
        if place == self.depths.len() {
            self.depths.push(from.map_or(0, |from| self.depths[from] + 1));
        }
        let farthest = self.met.get_index(self.farthest);
        if farthest.is_some_and(|((_, before), _)| rank > self.observer.rank(before)) {
            self.farthest = place;
        }
        if accepts {
            self.accepted.get_or_insert(place);
        }
    }

    fn result(self, ended: Ended) -> Guided<O::State> {
        let last = self.accepted.unwrap_or(self.farthest);
        let (mut way, mut at) = (Way::new(), Some(last));
        while let Some((pair, from)) = at.and_then(|at| self.met.get_index(at)) {
            way.push(pair.0.clone());
            at = *from;
        }
        way.reverse();
        let counts = Counts {
            states: self.met.len() as u64,
            transitions: self.transitions,
            ..Counts::default()
        };
        let state = self.met.get_index(last).map(|((_, state), _)| state.clone());
        let last = state.unwrap_or_else(|| self.observer.begin());
        Guided { counts, ended, limited: self.limited, gap: self.gap, way, last }
    }
}
