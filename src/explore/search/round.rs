//! One round of a search: configurations are taken from the store and their steps are made, in chunks; then what they
//! lead to is put into the store, shard by shard.
//!
//! Which chunks there are does not depend on the number of threads, and each shard takes what is new from the chunks in
//! their order. So the result is the same for any number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use super::Goal;
use super::look::{Seen, Worker, stride_of, words_of};
use super::store::{Ref, SHARDS, Shard, read_words, shard_of, write_bytes};
use crate::base::Budget;
use crate::explore::{Machine, Reduction};

/// How many configurations one thread takes at once.
pub(super) const CHUNK: usize = 256;

/// How many chunks a round has at most: what they lead to has to be kept until its end.
pub(super) const MOST_CHUNKS: usize = 128;

/// Configurations of one shard that one thread looks at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Piece {
    pub shard: usize,
    pub start: usize,
    pub end: usize,
}

/// What a chunk leads to, for one shard.
#[derive(Debug, Default)]
struct Parcel {
    hashes: Vec<u64>,
    parents: Vec<Ref>,
    bytes: Vec<u8>,
}

/// What came out of a chunk.
#[derive(Debug, Default)]
struct Harvest {
    parcels: Vec<Parcel>,
    seen: Seen,
}

/// What all threads share.
pub(super) struct Shared<'s, M: Machine> {
    pub machine: &'s M,
    pub goal: Goal<'s, M>,
    pub reduction: &'s Reduction,
    pub count: bool,
    pub budget: Budget,
    pub shards: Vec<RwLock<Shard>>,
    /// What is to be looked at in this round.
    plan: RwLock<Vec<Piece>>,
    harvests: Vec<Mutex<Harvest>>,
    next: AtomicUsize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'s, M: Machine> Shared<'s, M> {
    pub fn new(
        machine: &'s M,
        (goal, reduction): (Goal<'s, M>, &'s Reduction),
        count: bool,
        budget: Budget,
    ) -> Shared<'s, M> {
        let stride = stride_of(machine);
        Shared {
            machine,
            goal,
            reduction,
            count,
            budget,
            shards: (0..SHARDS).map(|_| RwLock::new(Shard::new(stride))).collect(),
            plan: RwLock::default(),
            harvests: (0..MOST_CHUNKS).map(|_| Mutex::default()).collect(),
            next: AtomicUsize::new(0),
        }
    }

    /// A shard, to be looked at.
    pub fn shard(&self, shard: usize) -> RwLockReadGuard<'_, Shard> {
        self.shards[shard].read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a configuration to begin with into the store.
    pub fn begin(&self, packed: &[u64]) {
        let stride = stride_of(self.machine);
        let (hash, mut bytes) = (self.machine.hash(packed), Vec::new());
        write_bytes(packed, stride, &mut bytes);
        self.add_all(shard_of(hash), |shard, hash_of| {
            shard.add((hash, &bytes), Ref::NONE, hash_of);
        });
    }

    /// What came since the last level belongs to this one, and is looked at now.
    pub fn end_level(&self, level: u32) {
        for shard in &self.shards {
            shard.write().unwrap_or_else(PoisonError::into_inner).end_level(level);
        }
    }

    /// Whether there is something in the next level.
    pub fn has_next(&self) -> bool {
        (0..SHARDS).any(|shard| self.shard(shard).has_next())
    }

    /// Sets what is to be looked at.
    pub fn set_plan(&self, pieces: &[Piece]) {
        let mut plan = self.plan.write().unwrap_or_else(PoisonError::into_inner);
        plan.clear();
        plan.extend_from_slice(pieces);
        self.next.store(0, Ordering::SeqCst);
    }

    /// The second half begins.
    pub fn turn(&self) {
        self.next.store(0, Ordering::SeqCst);
    }

    /// The first half: one thread's share of the steps.
    pub fn expand(&self, worker: &mut Worker<M>) {
        let plan = self.plan.read().unwrap_or_else(PoisonError::into_inner);
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = plan.get(at) else { return };
            let mut harvest = lock(&self.harvests[at]);
            harvest.begin();
            // Not more than a part is lost by looking once for each chunk and each configuration.
            if !self.budget.is_spent() {
                self.expand_piece(worker, *piece, &mut harvest);
            }
        }
    }

    fn expand_piece(&self, worker: &mut Worker<M>, piece: Piece, harvest: &mut Harvest) {
        let shard = self.shard(piece.shard);
        for place in piece.start..piece.end {
            if self.budget.spent().is_some() {
                return;
            }
            read_words(shard.get(place), &mut worker.words);
            let from = Ref::new(piece.shard, place);
            harvest.seen.look(self.machine, (self.goal, self.count), worker, from);
            let few = self.reduce(worker, &mut harvest.seen);
            self.pack(worker, few, from, harvest);
        }
    }

    /// Notes where the steps lead, for the shards.
    fn pack(&self, worker: &Worker<M>, few: bool, from: Ref, harvest: &mut Harvest) {
        let stride = stride_of(self.machine);
        let Worker { moves, chosen, .. } = worker;
        let many = if few { chosen.len() } else { moves.len() };
        for at in 0..many {
            let step = if few { chosen[at] as usize } else { at };
            let target = moves.target(step);
            let hash = self.machine.hash(target);
            let parcel = &mut harvest.parcels[shard_of(hash)];
            parcel.hashes.push(hash);
            parcel.parents.push(from);
            write_bytes(target, stride, &mut parcel.bytes);
        }
    }

    /// The second half: one thread's share of the shards.
    pub fn insert(&self, chunks: usize) {
        let stride = stride_of(self.machine);
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            if at >= SHARDS {
                return;
            }
            self.add_all(at, |shard, hash_of| {
                for harvest in &self.harvests[..chunks] {
                    let harvest = lock(harvest);
                    harvest.parcels[at].each(stride, |entry, parent| {
                        shard.add(entry, parent, hash_of);
                    });
                }
            });
        }
    }

    /// Whether steps of the chunks lead to configurations that are not in the store.
    pub fn leads_beyond(&self, chunks: usize) -> bool {
        let stride = stride_of(self.machine);
        let leads = |harvest: &Mutex<Harvest>| {
            let (harvest, mut beyond) = (lock(harvest), false);
            for (shard, parcel) in harvest.parcels.iter().enumerate() {
                let shard = self.shard(shard);
                parcel.each(stride, |(hash, bytes), _| beyond |= shard.find(hash, bytes).is_none());
            }
            beyond
        };
        self.harvests[..chunks].iter().any(leads)
    }

    fn add_all(&self, shard: usize, add: impl FnOnce(&mut Shard, &dyn Fn(&[u8]) -> u64)) {
        let mut shard = self.shards[shard].write().unwrap_or_else(PoisonError::into_inner);
        let words = std::cell::RefCell::new(vec![0; words_of(self.machine)]);
        let hash_of = |bytes: &[u8]| {
            let mut words = words.borrow_mut();
            read_words(bytes, &mut words);
            self.machine.hash(&words)
        };
        add(&mut shard, &hash_of);
    }

    /// What was seen in the chunks of a round, in their order.
    pub fn gather(&self, chunks: usize, seen: &mut Seen) {
        self.harvests[..chunks].iter().for_each(|harvest| seen.then(&lock(harvest).seen));
    }
}

impl Harvest {
    /// Makes it empty; what it had room for it keeps.
    fn begin(&mut self) {
        self.parcels.resize_with(SHARDS, Parcel::default);
        for parcel in &mut self.parcels {
            parcel.hashes.clear();
            parcel.parents.clear();
            parcel.bytes.clear();
        }
        self.seen = Seen::default();
    }
}

impl Parcel {
    fn each(&self, stride: usize, mut f: impl FnMut((u64, &[u8]), Ref)) {
        let entries = self.hashes.iter().zip(&self.parents).zip(self.bytes.chunks(stride));
        for ((&hash, &parent), bytes) in entries {
            f((hash, bytes), parent);
        }
    }
}
