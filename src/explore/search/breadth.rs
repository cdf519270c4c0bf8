//! Breadth first: level by level, in rounds.

use super::look::{Seen, Worker, words_of};
use super::round::{CHUNK, MOST_CHUNKS, Piece, Shared};
use super::store::{Ref, SHARDS, read_words};
use super::threads::{Gate, Half};
use super::{Counts, Ended, Goal, SearchLimits, Sights};
use crate::base::Watch;
use crate::explore::reduction::NOTHING;
use crate::explore::{Gap, Machine, Packed, Reduction};

/// A round with fewer configurations is not shared out.
const FEW: usize = 128;

/// Limits below this are kept to the configuration: one is looked at at a time.
const SMALL_LIMIT: u64 = 100_000;

/// What a search came to, with all configurations that it met.
pub struct Searched<'m, M: Machine> {
    pub(super) shared: Shared<'m, M>,
    /// How much was seen.
    pub counts: Counts,
    /// How it ended.
    pub ended: Ended,
    /// Whether values were left out.
    pub limited: bool,
    /// Whether something was left out that does not matter to the goal.
    pub reduced: bool,
    /// What was seen.
    pub sights: Sights,
    /// How many configurations there are to begin with.
    pub begins: usize,
}

/// Searches the configurations of a machine for something.
pub fn search<'m, M: Machine>(
    machine: &'m M,
    goal: Goal<'m, M>,
    limits: &SearchLimits,
    watch: &dyn Watch,
) -> Result<Searched<'m, M>, Gap> {
    search_reduced(machine, (goal, &NOTHING), limits, watch)
}

/// The same, where something may be left out that does not matter to the goal. Where more than deadlocks are looked for, a
/// path may then be longer than it has to be; and only whether there is a goal, and a path to one, can be told.
pub fn search_reduced<'m, M: Machine>(
    machine: &'m M,
    wanted: (Goal<'m, M>, &'m Reduction),
    limits: &SearchLimits,
    watch: &dyn Watch,
) -> Result<Searched<'m, M>, Gap> {
    let budget = watch.budget();
    let shared = Shared::new(machine, wanted, limits.count, budget.clone());
    let (mut initial, limited) = machine.initial()?;
    let stand_ins = shared.stand_in_for_all(&mut initial);
    initial.iter().for_each(|packed| shared.begin(packed));
    let gate = Gate::new(limits.jobs.max(1) - 1);
    let mut lead = Lead::new(&shared, &gate, limits);
    lead.seen.reduced = stand_ins;
    let ended = std::thread::scope(|scope| {
        for _ in 1..limits.jobs {
            let (shared, gate, budget) = (&shared, &gate, budget.clone());
            scope.spawn(move || {
                let _here = budget.enter();
                let mut worker = Worker::new(machine);
                gate.help(|half| shared.half(half, &mut worker));
            });
        }
        let ended = lead.run(watch);
        gate.together(Half::End, |_| {});
        ended
    });
    let Seen { counts, sights, limited: left_out, reduced } = lead.seen;
    let limited = limited || left_out;
    let begins = initial.len();
    Ok(Searched { shared, counts, ended, limited, reduced, sights, begins })
}

impl<M: Machine> Shared<'_, M> {
    fn half(&self, half: Half, worker: &mut Worker<M>) {
        match half {
            Half::Expand => self.expand(worker),
            Half::Insert(chunks) => self.insert(chunks),
            Half::End => {}
        }
    }

    /// How many configurations are in the store.
    fn stored(&self) -> u64 {
        (0..SHARDS).map(|shard| self.shard(shard).len() as u64).sum()
    }

    /// How many bytes they take.
    fn bytes(&self) -> u64 {
        (0..SHARDS).map(|shard| self.shard(shard).bytes() as u64).sum()
    }
}

/// Who leads a search.
struct Lead<'s, 'm, M: Machine> {
    shared: &'s Shared<'m, M>,
    gate: &'s Gate,
    worker: Worker<M>,
    limits: &'s SearchLimits,
    seen: Seen,
}

impl<'s, 'm, M: Machine> Lead<'s, 'm, M> {
    fn new(shared: &'s Shared<'m, M>, gate: &'s Gate, limits: &'s SearchLimits) -> Lead<'s, 'm, M> {
        Lead { shared, gate, worker: Worker::new(shared.machine), limits, seen: Seen::default() }
    }

    fn run(&mut self, watch: &dyn Watch) -> Ended {
        self.seen.counts.states = self.shared.stored();
        let mut level: u32 = 0;
        loop {
            self.shared.end_level(level);
            let pieces = self.pieces();
            if pieces.is_empty() {
                self.seen.counts.bytes = self.shared.bytes();
                return Ended::Complete;
            }
            self.seen.counts.depth = u64::from(level);
            if let Some(ended) = self.level(&pieces, watch) {
                self.seen.counts.bytes = self.shared.bytes();
                return ended;
            }
            level += 1;
        }
    }

    /// What there is to look at in this level.
    fn pieces(&self) -> Vec<Piece> {
        let size = if self.limits.most_states < SMALL_LIMIT { 1 } else { CHUNK };
        let mut pieces = Vec::new();
        for shard in 0..SHARDS {
            let places = self.shared.shard(shard).current();
            let end = places.end;
            let starts = places.step_by(size);
            pieces.extend(starts.map(|start| Piece { shard, start, end: end.min(start + size) }));
        }
        pieces
    }

    /// Looks at the configurations of a level; how the search ended, if it did.
    fn level(&mut self, pieces: &[Piece], watch: &dyn Watch) -> Option<Ended> {
        let last = self.seen.counts.depth >= self.limits.most_depth;
        let (mut beyond, mut left) = (false, pieces);
        while !left.is_empty() {
            let (round, rest) = left.split_at(self.affordable().min(left.len()));
            beyond |= self.round(round, last);
            left = rest;
            let Counts { states, transitions, depth, .. } = self.seen.counts;
            watch.exploring(states, transitions, depth);
            if let Some(ended) = self.over(!left.is_empty()) {
                return Some(ended);
            }
        }
        last.then_some(if beyond { Ended::Depth } else { Ended::Complete })
    }

    /// How many chunks the next round may have, so that a limit is not passed by far.
    fn affordable(&self) -> usize {
        let left = self.limits.most_states.saturating_sub(self.seen.counts.states);
        match self.limits.most_states < SMALL_LIMIT {
            true => 1,
            false => (left / (8 * CHUNK as u64)).clamp(1, MOST_CHUNKS as u64) as usize,
        }
    }

    /// One round; whether it leads beyond the last level, if this is it.
    fn round(&mut self, pieces: &[Piece], last: bool) -> bool {
        self.shared.set_plan(pieces);
        // To wake others takes longer than to look at a few.
        let alone = pieces.iter().map(|piece| piece.end - piece.start).sum::<usize>() < FEW;
        self.half(Half::Expand, alone);
        let mut beyond = false;
        match last {
            true => beyond = self.shared.leads_beyond(pieces.len()),
            false => {
                self.shared.turn();
                self.half(Half::Insert(pieces.len()), alone);
            }
        }
        self.shared.gather(pieces.len(), &mut self.seen);
        self.seen.counts.states = self.shared.stored();
        beyond
    }

    /// Has all threads do one half of a round, or does it alone where it is small.
    fn half(&mut self, half: Half, alone: bool) {
        let (shared, worker) = (self.shared, &mut self.worker);
        match alone {
            true => shared.half(half, worker),
            false => self.gate.together(half, |half| shared.half(half, worker)),
        }
    }

    /// How the search ended, if it did; `more`: whether there is more to look at in this level.
    fn over(&self, more: bool) -> Option<Ended> {
        if let Some(spent) = self.shared.budget.spent() {
            return Some(Ended::Spent(spent));
        }
        // What has no value decides a thorough search: there is nothing more to find out.
        let found = match self.limits.thorough {
            true => self.seen.sights.no_value.is_some(),
            false => self.seen.sights.goal.is_some(),
        };
        if found {
            return Some(Ended::Found);
        }
        let Counts { states, transitions, .. } = self.seen.counts;
        // Whether a limit was met is known once there is one more than it allows.
        let full = states > self.limits.most_states || transitions >= self.limits.most_transitions;
        (full && (more || self.shared.has_next())).then_some(Ended::States)
    }
}

impl<M: Machine> Searched<'_, M> {
    /// A configuration.
    pub fn packed(&self, at: Ref) -> Packed {
        let mut words = vec![0; words_of(self.shared.machine)];
        read_words(self.shared.shard(at.shard()).get(at.place()), &mut words);
        words.into()
    }

    /// A shortest way to a configuration, of those that the search went: from where it begins to the configuration itself,
    /// or one that it stands for.
    pub fn path(&self, to: Ref) -> Vec<Packed> {
        let path = self.path_in_store(to);
        if self.shared.reduction.symmetries.is_empty() { path } else { self.real(path) }
    }

    fn path_in_store(&self, to: Ref) -> Vec<Packed> {
        let (mut path, mut at) = (Vec::new(), to);
        while at != Ref::NONE {
            path.push(self.packed(at));
            at = self.shared.shard(at.shard()).parent(at.place());
        }
        path.reverse();
        path
    }

    /// Whether everything was looked at, with all values.
    pub fn is_complete(&self) -> bool {
        self.ended == Ended::Complete && !self.limited && self.sights.gap.is_none()
    }
}
