//! A net of which configurations are met as somebody goes: they are numbered as they are met, and give their steps when asked.

use std::cell::RefCell;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::unfold::{Done, DoneId, NotUnfolded};
use crate::base::packed::{PackedStore, read_words, write_bytes};
use crate::base::{Id, Watch};
use crate::explore::compiled::{Compiled, Scratch};
use crate::explore::search::SearchLimits;
use crate::explore::{Configuration, Constants, Machine, Moves};
use crate::lts::LtsState;

/// What is told of a configuration that was opened: its steps, and whether there may be more.
type OnOpened<'o> = &'o mut dyn FnMut(LtsState, &[(DoneId, LtsState)], bool);

/// Rows up to this length are looked through for what is there twice; longer ones get a table.
const SHORT: usize = 24;

/// How often somebody is told how far it is.
const OFTEN: u64 = 1024;

/// Into so many parts configurations are put by their hashes: each is small, so that many that are looked for together are found
/// soon.
const SHARDS: usize = 32;

/// So many configurations are looked at together.
pub const TOGETHER: usize = 8192;

/// The configurations, each once, with numbers.
struct Numbered {
    shards: Vec<PackedStore>,
    /// The numbers of what is at the places of each shard.
    numbers: Vec<Vec<u32>>,
    /// Shard and place of each number.
    places: Vec<u32>,
}

impl Numbered {
    fn new(stride: usize) -> Numbered {
        Numbered {
            shards: (0..SHARDS).map(|_| PackedStore::new(stride)).collect(),
            numbers: vec![Vec::new(); SHARDS],
            places: Vec::new(),
        }
    }

    fn len(&self) -> usize {
        self.places.len()
    }

    fn get(&self, number: usize) -> &[u8] {
        let place = self.places[number] as usize;
        self.shards[place % SHARDS].get(place / SHARDS)
    }

    /// The number of a configuration, which is new if it was not met.
    fn add(&mut self, (hash, bytes): (u64, &[u8]), hash_of: impl Fn(&[u8]) -> u64) -> Option<u32> {
        let shard = shard_of(hash);
        let (place, is_new) = self.shards[shard].add((hash, bytes), hash_of);
        if is_new {
            let number = self.places.len() as u32;
            self.numbers[shard].push(number);
            self.places.push(u32::try_from(place * SHARDS + shard).ok()?);
        }
        self.numbers[shard].get(place).copied()
    }
}

/// The shard of a hash. The tables inside use other bits.
fn shard_of(hash: u64) -> usize {
    (hash >> 32) as usize % SHARDS
}

/// Steps of several configurations, whose targets are not looked up yet.
#[derive(Default)]
struct Batch {
    done: Vec<DoneId>,
    /// Where the steps of each configuration end, and whether there may be more.
    ends: Vec<(usize, bool)>,
    /// For each shard: the hashes of targets, and of which steps they are; and their bytes.
    wanted: Vec<Vec<(u64, u32)>>,
    bytes: Vec<Vec<u8>>,
    /// The numbers of targets.
    targets: Vec<u32>,
}

impl Batch {
    fn begin(&mut self) {
        self.done.clear();
        self.ends.clear();
        self.wanted.resize_with(SHARDS, Vec::new);
        self.wanted.iter_mut().for_each(Vec::clear);
        self.bytes.resize_with(SHARDS, Vec::new);
        self.bytes.iter_mut().for_each(Vec::clear);
    }
}

/// The configurations of a net that were met so far.
pub struct Growing<'m, 'n> {
    machine: &'m Compiled<'n>,
    watch: &'m dyn Watch,
    limits: SearchLimits,
    scratch: Scratch,
    words: Vec<u64>,
    bytes: Vec<u8>,
    /// How many bytes a configuration has.
    stride: usize,
    moves: Moves,
    store: Numbered,
    batch: Batch,
    /// For each configuration, which of those in which the net begins led to it; empty where there is one only.
    roots: Vec<u32>,
    labels: FxHashMap<Box<[u64]>, DoneId>,
    /// The label that was asked for last.
    last: (Vec<u64>, DoneId),
    done: IndexSet<Done, FxBuildHasher>,
    begins: Vec<(Constants, LtsState)>,
    limited: bool,
    opened: u64,
    steps: u64,
}

impl<'m, 'n> Growing<'m, 'n> {
    /// A net in which nothing was met but where it begins.
    pub fn new(
        machine: &'m Compiled<'n>,
        limits: &SearchLimits,
        watch: &'m dyn Watch,
    ) -> Result<Growing<'m, 'n>, NotUnfolded> {
        let (initial, limited) = machine.initial()?;
        if initial.is_empty() {
            return Err(NotUnfolded::Nothing);
        }
        let stride = machine.bits().div_ceil(8).max(1);
        let words = machine.bits().div_ceil(64).max(1);
        let mut growing = Growing {
            machine,
            watch,
            limits: *limits,
            scratch: machine.scratch(),
            words: vec![0; words],
            bytes: Vec::with_capacity(stride),
            moves: Moves::new(words),
            store: Numbered::new(stride),
            batch: Batch::default(),
            stride,
            roots: Vec::new(),
            labels: FxHashMap::default(),
            last: (Vec::new(), DoneId::at(0)),
            done: IndexSet::default(),
            begins: Vec::with_capacity(initial.len()),
            limited,
            opened: 0,
            steps: 0,
        };
        for packed in &initial {
            let at = growing.number(packed)?;
            growing.begins.push((machine.decode(packed).constants, at));
        }
        if initial.len() > 1 {
            growing.roots = (0..growing.store.len() as u32).collect();
        }
        Ok(growing)
    }

    /// How many configurations were met.
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.store.len() == 0
    }

    /// How many steps were made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Where it begins, with the values of symbolic constants.
    pub fn begins(&self) -> &[(Constants, LtsState)] {
        &self.begins
    }

    /// Whether it may begin in others, with values that are not tried.
    pub fn is_limited(&self) -> bool {
        self.limited
    }

    /// The place among those in which it begins of the one that led to a configuration.
    pub fn root(&self, at: LtsState) -> usize {
        self.roots.get(at.index()).map_or(0, |root| *root as usize)
    }

    /// What is done, if some step that was made does it.
    pub fn done(&self, done: DoneId) -> Option<&Done> {
        self.done.get_index(done.index())
    }

    /// The net that was made ready to run.
    pub fn machine(&self) -> &'m Compiled<'n> {
        self.machine
    }

    /// Writes down a configuration, packed; whether there is such a one.
    pub fn read(&self, at: LtsState, words: &mut Vec<u64>) -> bool {
        words.resize(self.words.len(), 0);
        let is_there = at.index() < self.store.len();
        if is_there {
            read_words(self.store.get(at.index()), words);
        }
        is_there
    }

    /// A configuration as data.
    pub fn configuration(&self, at: LtsState) -> Option<Configuration> {
        let mut words = Vec::new();
        self.read(at, &mut words).then(|| self.machine.decode(&words))
    }

    /// Makes the steps of a configuration, each once that shows the same and leads to the same; whether there may be more, with
    /// values that are not tried.
    pub fn open(
        &mut self,
        at: LtsState,
        row: &mut Vec<(DoneId, LtsState)>,
    ) -> Result<bool, NotUnfolded> {
        self.told()?;
        row.clear();
        if at.index() >= self.store.len() {
            return Ok(false);
        }
        read_words(self.store.get(at.index()), &mut self.words);
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        self.machine.steps(&mut self.scratch, &self.words, true, &mut moves)?;
        let (root, known) = (self.root(at) as u32, self.store.len());
        for step in 0..moves.len() {
            let done = self.label(moves.label(step));
            row.push((done, self.number(moves.target(step))?));
        }
        if !self.roots.is_empty() {
            self.roots.resize(self.roots.len() + self.store.len() - known, root);
        }
        each_once(row);
        self.steps += row.len() as u64;
        let limited = moves.limited;
        self.moves = moves;
        match self.has_too_many_steps() {
            true => Err(self.too_many()),
            false => Ok(limited),
        }
    }

    /// Says how far it is, and looks whether it may go on.
    fn told(&mut self) -> Result<(), NotUnfolded> {
        self.opened += 1;
        if self.opened.is_multiple_of(OFTEN) {
            self.watch.exploring(self.store.len() as u64, self.steps, 0);
        }
        match self.opened.is_multiple_of(64).then(|| self.watch.budget().spent()).flatten() {
            Some(spent) => Err(NotUnfolded::Spent(spent)),
            None => Ok(()),
        }
    }

    fn most(&self) -> u64 {
        self.limits.most_states.min(u64::from(u32::MAX) - 1)
    }

    fn too_many(&self) -> NotUnfolded {
        NotUnfolded::TooMany { most: self.most().min(self.store.len() as u64) }
    }

    fn label(&mut self, words: &[u64]) -> DoneId {
        // Steps that stand side by side often show the same.
        if self.last.0.iter().eq(words) && !words.is_empty() {
            return self.last.1;
        }
        let done = match self.labels.get(words) {
            Some(known) => *known,
            None => {
                let done = DoneId::at(self.done.insert_full(self.machine.label(words)).0);
                self.labels.insert(words.into(), done);
                done
            }
        };
        self.last.0.clear();
        self.last.0.extend_from_slice(words);
        self.last.1 = done;
        done
    }

    fn number(&mut self, packed: &[u64]) -> Result<LtsState, NotUnfolded> {
        self.bytes.clear();
        write_bytes(packed, self.stride, &mut self.bytes);
        let words = RefCell::new(vec![0; self.words.len()]);
        let hash_of = hash_again(self.machine, &words);
        let number = self.store.add((self.machine.hash(packed), &self.bytes), hash_of);
        self.is_allowed(number)
    }

    fn is_allowed(&self, number: Option<u32>) -> Result<LtsState, NotUnfolded> {
        match number.filter(|_| self.store.len() as u64 <= self.most()) {
            Some(number) => Ok(LtsState(number)),
            None => Err(self.too_many()),
        }
    }

    /// Makes the steps of several configurations that were met, and says of each, in order, what they are and whether there may be
    /// more. It is the same as to open one after the other, but for the numbers of new ones.
    pub fn open_all(&mut self, all: &[LtsState], on: OnOpened<'_>) -> Result<(), NotUnfolded> {
        let mut row = Vec::new();
        if !self.roots.is_empty() {
            for &at in all {
                let limited = self.open(at, &mut row)?;
                on(at, &row, limited);
            }
            return Ok(());
        }
        let mut batch = std::mem::take(&mut self.batch);
        let found = self.fill(all, &mut batch).and_then(|()| self.look_up(&mut batch));
        let mut start = 0;
        for (&at, &(end, limited)) in all.iter().zip(&batch.ends).filter(|_| found.is_ok()) {
            row.clear();
            let steps = batch.done[start..end].iter().zip(&batch.targets[start..end]);
            row.extend(steps.map(|(done, to)| (*done, LtsState(*to))));
            each_once(&mut row);
            self.steps += row.len() as u64;
            on(at, &row, limited);
            start = end;
        }
        self.batch = batch;
        found?;
        match self.has_too_many_steps() {
            true => Err(self.too_many()),
            false => Ok(()),
        }
    }

    fn has_too_many_steps(&self) -> bool {
        self.steps > self.limits.most_transitions.min(u64::from(u32::MAX))
    }

    /// Makes the steps of configurations, shard by shard of where they lead.
    fn fill(&mut self, all: &[LtsState], batch: &mut Batch) -> Result<(), NotUnfolded> {
        batch.begin();
        let mut moves = std::mem::take(&mut self.moves);
        for &at in all {
            self.told()?;
            read_words(self.store.get(at.index()), &mut self.words);
            moves.clear();
            self.machine.steps(&mut self.scratch, &self.words, true, &mut moves)?;
            for step in 0..moves.len() {
                let target = moves.target(step);
                let hash = self.machine.hash(target);
                let shard = shard_of(hash);
                batch.wanted[shard].push((hash, batch.done.len() as u32));
                write_bytes(target, self.stride, &mut batch.bytes[shard]);
                batch.done.push(self.label(moves.label(step)));
            }
            batch.ends.push((batch.done.len(), moves.limited));
        }
        self.moves = moves;
        Ok(())
    }

    /// Finds the numbers of where steps lead.
    fn look_up(&mut self, batch: &mut Batch) -> Result<(), NotUnfolded> {
        let words = RefCell::new(vec![0; self.words.len()]);
        let hash_of = hash_again(self.machine, &words);
        batch.targets.clear();
        batch.targets.resize(batch.done.len(), 0);
        for shard in 0..SHARDS {
            let entries = batch.wanted[shard].iter().zip(batch.bytes[shard].chunks(self.stride));
            for (&(hash, step), bytes) in entries {
                let number = self.store.add((hash, bytes), &hash_of);
                batch.targets[step as usize] = self.is_allowed(number)?.0;
            }
        }
        Ok(())
    }
}

/// The hash of a configuration that was kept.
fn hash_again<'h>(
    machine: &'h Compiled<'_>,
    words: &'h RefCell<Vec<u64>>,
) -> impl Fn(&[u8]) -> u64 + 'h {
    move |bytes| {
        let mut words = words.borrow_mut();
        read_words(bytes, &mut words);
        machine.hash(&words)
    }
}

/// Leaves out what came before.
fn each_once(row: &mut Vec<(DoneId, LtsState)>) {
    if row.len() > SHORT {
        let mut seen: FxHashSet<(DoneId, LtsState)> = FxHashSet::default();
        row.retain(|step| seen.insert(*step));
        return;
    }
    let mut kept = 0;
    for at in 0..row.len() {
        if !row[..kept].contains(&row[at]) {
            row[kept] = row[at];
            kept += 1;
        }
    }
    row.truncate(kept);
}
