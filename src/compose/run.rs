//! A run of the whole net that does what a reduced system does: what was found in the small system is looked for in the
//! large one, step by step along what is seen of it.

use std::collections::VecDeque;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::base::Watch;
use crate::emit::outcome::concrete;
use crate::explore::compiled::Compiled;
use crate::explore::{Gap, Machine, Moves, Packed};
use crate::lts::{Lts, LtsState};
use crate::pnet::PNet;

/// What is seen on the shortest way to a state that is wanted; nothing where there is none.
pub fn shortest(lts: &Lts, is_wanted: impl Fn(LtsState) -> bool) -> Option<Vec<String>> {
    let mut from: FxHashMap<LtsState, (LtsState, String)> = FxHashMap::default();
    let mut work = VecDeque::from([lts.initial()]);
    while let Some(state) = work.pop_front() {
        if is_wanted(state) {
            let (mut at, mut trace) = (state, Vec::new());
            while let Some((before, label)) = from.get(&at).filter(|_| at != lts.initial()) {
                trace.push(label.clone());
                at = *before;
            }
            trace.reverse();
            return Some(trace);
        }
        for step in lts.steps(state) {
            if step.to != lts.initial() && !from.contains_key(&step.to) {
                from.insert(step.to, (state, lts.text(step.label).to_owned()));
                work.push_back(step.to);
            }
        }
    }
    None
}

/// Which run is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Guide<'g> {
    /// What is seen of it, in order.
    pub trace: &'g [String],
    /// Whether there may be silent steps between; otherwise `tau` stands in the trace.
    pub hides: bool,
    /// How many configurations may be looked at.
    pub most: usize,
}

/// What is known of a configuration at the end of a trace.
#[derive(Clone, Copy, Debug)]
pub struct AtEnd<'e> {
    /// The configuration.
    pub at: &'e [u64],
    /// Whether it has no steps, and some leaf is not final.
    pub is_stuck: bool,
}

/// A shortest run that shows a trace and ends as it is wanted; nothing where none was found.
pub fn guided_run(
    (net, machine): (&PNet, &Compiled<'_>),
    guide: Guide<'_>,
    mut is_wanted: impl FnMut(AtEnd<'_>) -> Result<bool, Gap>,
    watch: &dyn Watch,
) -> Result<Option<Vec<Packed>>, Gap> {
    let seen = |trace: &[String]| -> Vec<String> {
        trace.iter().filter(|label| !guide.hides || *label != "tau").cloned().collect()
    };
    let mut search = Search {
        net,
        machine,
        trace: seen(guide.trace),
        hides: guide.hides,
        met: IndexMap::default(),
        shown: FxHashMap::default(),
    };
    for first in machine.initial()?.0 {
        search.met.insert((first, 0), usize::MAX);
    }
    let (mut scratch, mut at) = (machine.scratch(), 0);
    let mut moves = Moves::new(machine.bits().div_ceil(64));
    while let Some((from, done)) = search.met.get_index(at).map(|(key, _)| key.clone()) {
        if watch.budget().is_spent() || at >= guide.most {
            return Ok(None);
        }
        moves.clear();
        machine.steps(&mut scratch, &from, true, &mut moves)?;
        if done == search.trace.len() {
            let is_stuck = moves.is_empty() && !moves.limited && !machine.is_final(&from);
            if is_wanted(AtEnd { at: &from, is_stuck })? {
                return Ok(Some(search.path(at)));
            }
        }
        search.go_on((at, done), &moves);
        at += 1;
    }
    Ok(None)
}

struct Search<'s, 'n> {
    net: &'s PNet,
    machine: &'s Compiled<'n>,
    trace: Vec<String>,
    hides: bool,
    /// Configurations with how much of the trace was seen before, and where they were met from.
    met: IndexMap<(Packed, usize), usize, FxBuildHasher>,
    /// What labels show; nothing where they are silent, and that does not count.
    shown: FxHashMap<Box<[u64]>, Option<String>>,
}

impl Search<'_, '_> {
    fn go_on(&mut self, (at, done): (usize, usize), moves: &Moves) {
        for step in 0..moves.len() {
            let (net, machine, hides) = (self.net, self.machine, self.hides);
            let shown = self.shown.entry(moves.label(step).into()).or_insert_with(|| {
                let (action, _) = machine.label(moves.label(step));
                (!hides || !action.is_silent()).then(|| concrete(&net.algebra, &action).text)
            });
            let done = match shown {
                None => done,
                Some(text) if self.trace.get(done) == Some(text) => done + 1,
                Some(_) => continue,
            };
            let key = (Packed::from(moves.target(step)), done);
            self.met.entry(key).or_insert(at);
        }
    }

    /// The configurations up to one that was met.
    fn path(&self, mut at: usize) -> Vec<Packed> {
        let mut path = Vec::new();
        while let Some(((packed, _), before)) = self.met.get_index(at) {
            path.push(packed.clone());
            at = *before;
        }
        path.reverse();
        path
    }
}
