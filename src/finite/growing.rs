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

/// Rows up to this length are looked through for what is there twice; longer ones get a table.
const SHORT: usize = 24;

/// How often somebody is told how far it is.
const OFTEN: u64 = 1024;

/// The configurations of a net that were met so far.
pub struct Growing<'m, 'n> {
    machine: &'m Compiled<'n>,
    watch: &'m dyn Watch,
    limits: SearchLimits,
    scratch: Scratch,
    words: Vec<u64>,
    bytes: Vec<u8>,
    moves: Moves,
    store: PackedStore,
    /// For each configuration, which of those in which the net begins led to it; empty where there is one only.
    roots: Vec<u32>,
    labels: FxHashMap<Box<[u64]>, DoneId>,
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
            store: PackedStore::new(stride),
            roots: Vec::new(),
            labels: FxHashMap::default(),
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
        self.store.is_empty()
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
        if self.steps > self.limits.most_transitions.min(u64::from(u32::MAX)) {
            return Err(self.too_many());
        }
        Ok(limited)
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
        if let Some(known) = self.labels.get(words) {
            return *known;
        }
        let done = DoneId::at(self.done.insert_full(self.machine.label(words)).0);
        self.labels.insert(words.into(), done);
        done
    }

    fn number(&mut self, packed: &[u64]) -> Result<LtsState, NotUnfolded> {
        self.bytes.clear();
        write_bytes(packed, self.store.stride(), &mut self.bytes);
        let (again, many) = (RefCell::new(Vec::new()), self.words.len());
        let machine = self.machine;
        let hash_of = |bytes: &[u8]| {
            let mut words = again.borrow_mut();
            words.resize(many, 0);
            read_words(bytes, &mut words);
            machine.hash(&words)
        };
        let (place, _) = self.store.add((machine.hash(packed), &self.bytes), hash_of);
        match self.store.len() as u64 > self.most() {
            true => Err(self.too_many()),
            false => Ok(LtsState::at(place)),
        }
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
