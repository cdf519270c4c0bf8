//! Depth first, on one thread: what is found far away is found early, and cycles are met on the way.
//!
//! With a bound, a configuration that was met is looked at again where it is nearer: so all within the bound is seen. The
//! way from the beginning is a list, not the stack of the thread.
//!
//! Each configuration remembers the one before it on the way on which it was looked at last, where that one was nearer by
//! one step; it may have come nearer since. So the path along these has an end, and is never beyond the bound.

use super::look::{Seen, Worker, stride_of, words_of};
use super::store::{Ref, Shard, read_words, write_bytes};
use super::{Counts, Ended, Goal, SearchLimits, Sights};
use crate::base::Watch;
use crate::explore::{Gap, Machine, Packed};

/// A way through configurations, packed.
pub type Way = Vec<Packed>;

/// What a search in depth came to.
#[derive(Debug)]
pub struct DepthSearched {
    /// How much was seen; `depth` is the longest way that was gone.
    pub counts: Counts,
    /// How it ended.
    pub ended: Ended,
    /// Whether values were left out.
    pub limited: bool,
    /// What was seen.
    pub sights: Sights,
    /// The way to what leads back to itself, where that was looked for.
    pub way: Option<Way>,
    /// Where on the way a cycle begins: its last configuration leads there.
    pub back_to: Option<usize>,
    store: Shard,
    /// How many words a configuration has.
    words: usize,
}

impl DepthSearched {
    /// A configuration.
    pub fn packed(&self, at: Ref) -> Packed {
        packed(&self.store, at.alone_place(), self.words)
    }

    /// A way to a configuration, from where the search began.
    pub fn path(&self, to: Ref) -> Way {
        let (mut path, mut at) = (Way::new(), to);
        while at != Ref::NONE {
            path.push(self.packed(at));
            at = self.store.parent(at.alone_place());
        }
        path.reverse();
        path
    }
}

fn packed(store: &Shard, place: usize, words: usize) -> Packed {
    let mut packed = vec![0; words];
    read_words(store.get(place), &mut packed);
    packed.into()
}

/// What a configuration is in the walk.
const OPEN: u8 = 1;
const DONE: u8 = 2;

/// One configuration on the way, with the steps that are left.
struct Frame {
    place: u32,
    /// Where its steps begin among those that are kept, and which is next.
    first: usize,
    next: usize,
}

/// A walk in depth.
struct Walk<'w, M: Machine> {
    machine: &'w M,
    goal: Goal<'w, M>,
    cycles: bool,
    limits: &'w SearchLimits,
    worker: Worker<M>,
    store: Shard,
    marks: Vec<u8>,
    /// How near each configuration was met, where there is a bound.
    depths: Vec<u32>,
    frames: Vec<Frame>,
    kept: Vec<u32>,
    seen: Seen,
}

/// Searches in depth for a goal.
pub fn search_deep<M: Machine>(
    machine: &M,
    goal: Goal<'_, M>,
    limits: &SearchLimits,
    watch: &dyn Watch,
) -> Result<DepthSearched, Gap> {
    walk(machine, (goal, false), limits, watch)
}

/// Searches for a configuration that leads back to itself.
pub fn find_cycle<M: Machine>(
    machine: &M,
    limits: &SearchLimits,
    watch: &dyn Watch,
) -> Result<DepthSearched, Gap> {
    walk(machine, (Goal::Everything, true), limits, watch)
}

fn walk<'w, M: Machine>(
    machine: &'w M,
    (goal, cycles): (Goal<'w, M>, bool),
    limits: &'w SearchLimits,
    watch: &dyn Watch,
) -> Result<DepthSearched, Gap> {
    let (initial, limited) = machine.initial()?;
    let mut walk = Walk {
        machine,
        goal,
        cycles,
        limits,
        worker: Worker::new(machine),
        store: Shard::new(stride_of(machine)),
        marks: Vec::new(),
        depths: Vec::new(),
        frames: Vec::new(),
        kept: Vec::new(),
        seen: Seen { limited, ..Seen::default() },
    };
    let mut ended = Ended::Complete;
    for packed in &initial {
        let place = walk.keep(packed);
        if let Some(end) = walk.from(place, watch) {
            ended = end;
            break;
        }
    }
    Ok(walk.result(ended))
}

impl<M: Machine> Walk<'_, M> {
    /// The place of a configuration, which is kept if it is new.
    fn keep(&mut self, packed: &[u64]) -> u32 {
        let (hash, mut bytes) = (self.machine.hash(packed), Vec::new());
        write_bytes(packed, self.store.stride(), &mut bytes);
        if let Some(place) = self.store.find(hash, &bytes) {
            return place as u32;
        }
        let (machine, words) = (self.machine, words_of(self.machine));
        self.store.add((hash, &bytes), Ref::NONE, |bytes| {
            let mut packed = vec![0; words];
            read_words(bytes, &mut packed);
            machine.hash(&packed)
        });
        self.marks.push(0);
        self.depths.push(u32::MAX);
        self.seen.counts.states += 1;
        self.marks.len() as u32 - 1
    }

    /// Walks from one configuration until there is nothing new; how the search ended, if it did.
    fn from(&mut self, start: u32, watch: &dyn Watch) -> Option<Ended> {
        let budget = watch.budget();
        if !self.is_wanted(start) {
            return None;
        }
        self.enter(start);
        loop {
            let Counts { states, transitions, depth, .. } = self.seen.counts;
            if states.is_multiple_of(4096) {
                watch.exploring(states, transitions, depth);
            }
            if budget.is_spent() {
                return Some(Ended::Spent(budget.spent()?));
            }
            if self.is_found() {
                return Some(Ended::Found);
            }
            if states > self.limits.most_states || transitions >= self.limits.most_transitions {
                return Some(Ended::States);
            }
            match self.step() {
                Stepped::On => {}
                Stepped::Back => return Some(Ended::Found),
                Stepped::Over => return None,
            }
        }
    }

    /// Whether there is nothing more to find out: what has no value decides a thorough search.
    fn is_found(&self) -> bool {
        match self.limits.thorough {
            true => self.seen.sights.no_value.is_some(),
            false => self.seen.sights.goal.is_some(),
        }
    }

    /// Takes the next step, or goes back.
    fn step(&mut self) -> Stepped {
        let Some(frame) = self.frames.last_mut() else { return Stepped::Over };
        if frame.next == self.kept.len() {
            let (place, first) = (frame.place, frame.first);
            self.kept.truncate(first);
            self.marks[place as usize] = DONE;
            self.frames.pop();
            return Stepped::On;
        }
        let next = self.kept[frame.next];
        frame.next += 1;
        if self.cycles && self.marks[next as usize] == OPEN {
            return Stepped::Back;
        }
        if self.is_wanted(next) {
            self.enter(next);
        }
        Stepped::On
    }

    /// Whether a configuration is to be looked at: it is new, or nearer than before where that matters.
    fn is_wanted(&mut self, place: u32) -> bool {
        let depth = self.frames.len() as u64;
        if depth > self.limits.most_depth {
            return false;
        }
        match self.marks[place as usize] {
            0 => true,
            OPEN => false,
            _ => {
                let bounded = self.limits.most_depth != u64::MAX;
                bounded && depth < u64::from(self.depths[place as usize])
            }
        }
    }

    /// Looks at a configuration, and keeps its steps.
    fn enter(&mut self, place: u32) {
        let (first, depth) = (self.kept.len(), self.frames.len());
        let again = self.marks[place as usize] == DONE;
        self.marks[place as usize] = OPEN;
        self.depths[place as usize] = depth as u32;
        let before = self.frames.last().map_or(Ref::NONE, |frame| Ref::alone(frame.place));
        self.store.set_parent(place as usize, before);
        self.frames.push(Frame { place, first, next: first });
        self.seen.counts.depth = self.seen.counts.depth.max(depth as u64);
        read_words(self.store.get(place as usize), &mut self.worker.words);
        let (wanted, at) = ((self.goal, self.limits.count), Ref::alone(place));
        let before = self.seen.counts;
        self.seen.look(self.machine, wanted, &mut self.worker, at);
        if again {
            // It was counted when it was met first.
            self.seen.counts = before;
        }
        for step in 0..self.worker.moves.len() {
            let target = self.worker.moves.target(step).to_vec();
            let target = self.keep(&target);
            self.kept.push(target);
        }
    }

    fn result(self, ended: Ended) -> DepthSearched {
        let words = words_of(self.machine);
        let on_way = |frame: &Frame| packed(&self.store, frame.place as usize, words);
        let back_to = self.cycle().filter(|_| ended == Ended::Found && self.cycles);
        let way = back_to.map(|_| self.frames.iter().map(on_way).collect());
        // What was met but never looked at is too far.
        let cut = ended == Ended::Complete && self.depths.contains(&u32::MAX);
        let ended = if cut { Ended::Depth } else { ended };
        let Seen { mut counts, sights, limited, .. } = self.seen;
        counts.bytes = self.store.bytes() as u64;
        DepthSearched { counts, ended, limited, sights, way, back_to, store: self.store, words }
    }

    /// Where on the way the step that was taken last leads back to.
    fn cycle(&self) -> Option<usize> {
        let last = self.frames.last()?;
        let back = *self.kept.get(last.next.checked_sub(1)?)?;
        self.frames.iter().position(|frame| frame.place == back)
    }
}

/// What came of a step.
enum Stepped {
    /// It goes on.
    On,
    /// It leads back to where the way comes from.
    Back,
    /// There is nothing more.
    Over,
}
