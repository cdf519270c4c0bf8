//! A search that leaves out what does not matter to its goal.
//!
//! **Steps that wait.** A machine chooses steps such that the others can wait (how, and what that means, is said there). Where
//! a property is looked for, none may wait for ever: they wait only where one of the chosen steps leads to a configuration
//! that is looked at later than this one, because it is not in the store when the round begins, or has come into it in
//! this level. Following these, what waits comes nearer to a configuration where it waits no more: the levels in
//! which they are looked at grow, and there are not more of them than configurations. Where there is no end of these, a step
//! can wait for ever after all: then whoever searches also goes without waiting, in turns. What the store has when a round begins
//! does not depend on the number of threads, so neither does what waits.
//!
//! **Configurations that stand for others.** Each configuration is replaced by the one that stands for it before it is put
//! into the store. A path in the store is one between such; a real one is made of it step by step, from where the net begins:
//! a configuration that is like one in the store has a step to one that is like the next.

use super::Searched;
use super::look::{Seen, Worker, stride_of};
use super::round::Shared;
use super::store::{shard_of, write_bytes};
use crate::explore::{Machine, Packed, Preserved};

impl<M: Machine> Shared<'_, M> {
    /// Replaces configurations to begin with by those that stand for them, each once; whether that changes anything.
    pub fn stand_in_for_all(&self, all: &mut Vec<Packed>) -> bool {
        let symmetries = &self.reduction.symmetries;
        if symmetries.is_empty() {
            return false;
        }
        let (mut scratch, mut changed) = (self.machine.scratch(), false);
        for packed in all.iter_mut() {
            changed |= self.machine.stand_in(&mut scratch, symmetries, packed);
        }
        let mut seen = rustc_hash::FxHashSet::default();
        all.retain(|packed| seen.insert(packed.clone()));
        changed
    }

    /// Chooses which of the steps that a worker has made are followed, and replaces what they lead to by what stands for it;
    /// whether only those are followed that are chosen.
    pub fn reduce(&self, worker: &mut Worker<M>, seen: &mut Seen) -> bool {
        if self.reduction.is_nothing() {
            return false;
        }
        let few = self.chooses(worker, seen);
        if few {
            let waiting = worker.moves.len() - worker.chosen.len();
            seen.counts.transitions -= waiting as u64;
            seen.reduced = true;
        } else {
            worker.chosen.clear();
            worker.chosen.extend(0..worker.moves.len() as u32);
            seen.reduced |= self.stand_in(worker);
        }
        few
    }

    fn chooses(&self, worker: &mut Worker<M>, seen: &mut Seen) -> bool {
        let Some(order) = &self.reduction.order else { return false };
        let Worker { scratch, words, moves, chosen, .. } = worker;
        if !self.machine.choose(scratch, words, order, moves, chosen) {
            return false;
        }
        seen.reduced |= self.stand_in(worker);
        *order == Preserved::Deadlocks || self.is_later(worker)
    }

    /// Replaces what the chosen steps lead to; whether that changes anything.
    fn stand_in(&self, worker: &mut Worker<M>) -> bool {
        let symmetries = &self.reduction.symmetries;
        if symmetries.is_empty() {
            return false;
        }
        let Worker { scratch, moves, chosen, .. } = worker;
        let mut changed = false;
        for &step in &*chosen {
            let target = moves.target_mut(step as usize);
            changed |= self.machine.stand_in(scratch, symmetries, target);
        }
        changed
    }

    /// Whether one of the chosen steps leads to what is looked at in a later level.
    fn is_later(&self, worker: &Worker<M>) -> bool {
        let mut bytes = Vec::new();
        worker.chosen.iter().any(|&step| {
            let target = worker.moves.target(step as usize);
            let hash = self.machine.hash(target);
            bytes.clear();
            write_bytes(target, stride_of(self.machine), &mut bytes);
            let shard = self.shard(shard_of(hash));
            shard.find(hash, &bytes).is_none_or(|place| place >= shard.current().end)
        })
    }
}

impl<M: Machine> Searched<'_, M> {
    /// A path between real configurations that is like one in the store; that one, where a step is missing.
    pub(super) fn real(&self, path: Vec<Packed>) -> Vec<Packed> {
        let mut real: Vec<Packed> = Vec::with_capacity(path.len());
        let mut worker = Worker::new(self.shared.machine);
        for like in &path {
            let next = match real.last() {
                None => self.real_beginning(like, &mut worker),
                Some(last) => {
                    worker.words.copy_from_slice(last);
                    self.real_step(like, &mut worker)
                }
            };
            let Some(next) = next else { return path };
            real.push(next);
        }
        real
    }

    fn is_like(&self, one: &[u64], like: &Packed, worker: &mut Worker<M>) -> bool {
        let mut packed = Packed::from(one);
        let symmetries = &self.shared.reduction.symmetries;
        self.shared.machine.stand_in(&mut worker.scratch, symmetries, &mut packed);
        packed == *like
    }

    fn real_beginning(&self, like: &Packed, worker: &mut Worker<M>) -> Option<Packed> {
        let (initial, _) = self.shared.machine.initial().ok()?;
        initial.into_iter().find(|packed| self.is_like(packed, like, worker))
    }

    fn real_step(&self, like: &Packed, worker: &mut Worker<M>) -> Option<Packed> {
        worker.make_steps(self.shared.machine, false).ok()?;
        let moves = std::mem::take(&mut worker.moves);
        let found = (0..moves.len()).find(|&step| self.is_like(moves.target(step), like, worker));
        let found = found.map(|step| Packed::from(moves.target(step)));
        worker.moves = moves;
        found
    }
}
