//! The configurations of one worker, and the steps that lead to them.
//!
//! Configurations that arrive are kept as they come, and get their numbers when their level has arrived as a whole, in the
//! order of where they were reached from: so the numbers do not depend on who was quicker. The lines of steps are kept until
//! then, since they speak of numbers.

use rustc_hash::FxHashMap;

use super::parcel::{Parcel, StateId};
use crate::explore::search::look::{Seen, Worker, stride_of, words_of};
use crate::explore::search::store::{Ref, Shard, read_words, write_bytes};
use crate::explore::search::{Counts, Goal};
use crate::explore::{Machine, Packed, Packing};

/// Labels in words.
pub type LabelText<'t> = &'t mut dyn FnMut(&[u64]) -> String;

/// The configurations of one worker.
pub struct Share<'m, M: Machine> {
    machine: &'m M,
    who: u32,
    of: u32,
    worker: Worker<M>,
    store: Shard,
    /// A configuration as it is in the store.
    bytes: Vec<u8>,
    /// The number of each configuration, by its place in the store.
    numbers: Vec<u32>,
    /// The other way round.
    places: Vec<u32>,
    /// Where each was reached from, by numbers.
    parents: Vec<Option<StateId>>,
    /// Where those were first reached from that have no numbers yet.
    claims: Vec<Claim>,
    /// The steps of this level that arrived, by who sent them.
    arrived: Vec<Vec<Arrival>>,
    /// How much each sent in this level.
    sent: Vec<u64>,
    /// The labels of these steps, each once.
    texts: Vec<String>,
    text_places: FxHashMap<String, u32>,
    /// How many have been looked at.
    looked: usize,
    seen: Seen,
    lines: u64,
    beyond: u64,
}

/// Where something was reached from: the order is that of the numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Claim {
    worker: u32,
    /// How much came from there before.
    after: u64,
    /// The number there; what a search begins with has none.
    parent: Option<u32>,
}

/// A step that arrived.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    source: u32,
    label: u32,
    place: u32,
}

/// The worker to which a configuration belongs, by its hash. The table of a store uses other bits.
fn owner(hash: u64, of: u32) -> u32 {
    ((hash >> 32) % u64::from(of.max(1))) as u32
}

impl<'m, M: Machine> Share<'m, M> {
    /// Nothing yet, for one of so many workers.
    pub fn new(machine: &'m M, who: u32, of: u32) -> Share<'m, M> {
        Share {
            machine,
            who,
            of,
            worker: Worker::new(machine),
            store: Shard::new(stride_of(machine)),
            bytes: Vec::new(),
            numbers: Vec::new(),
            places: Vec::new(),
            parents: Vec::new(),
            claims: Vec::new(),
            arrived: (0..of).map(|_| Vec::new()).collect(),
            sent: vec![0; of as usize],
            texts: Vec::new(),
            text_places: FxHashMap::default(),
            looked: 0,
            seen: Seen::default(),
            lines: 0,
            beyond: 0,
        }
    }

    /// Takes those of the configurations to begin with that belong here; how many there are in all.
    pub fn begin(&mut self, initial: &[Packed]) -> usize {
        for (after, packed) in (0..).zip(initial) {
            if owner(self.machine.hash(packed), self.of) == self.who {
                self.keep(packed, Claim { worker: 0, after, parent: None });
            }
        }
        initial.len()
    }

    /// A configuration arrives: its place.
    fn keep(&mut self, packed: &[u64], claim: Claim) -> u32 {
        let machine = self.machine;
        let hash = machine.hash(packed);
        if let Some(place) = self.find(packed, hash) {
            if let Some(known) = place.checked_sub(self.numbers.len()) {
                self.claims[known] = self.claims[known].min(claim);
            }
            return place as u32;
        }
        // It is needed only when the table grows.
        let words = std::cell::RefCell::new(Vec::new());
        self.store.add((hash, &self.bytes), Ref::NONE, |bytes| {
            let mut words = words.borrow_mut();
            words.resize(words_of(machine), 0);
            read_words(bytes, &mut words);
            machine.hash(&words)
        });
        self.claims.push(claim);
        (self.store.len() - 1) as u32
    }

    /// Steps of the next level arrive. `keep`: whether what is new is kept; otherwise it is too far away. Nothing if it
    /// cannot be read.
    pub fn arrive(&mut self, parcel: &Parcel, keep: bool) -> Option<()> {
        let values = self.machine.unpack(&parcel.luggage)?;
        let (width, from) = (words_of(self.machine), parcel.from as usize);
        if parcel.words.len() != width * parcel.sources.len() || from >= self.sent.len() {
            return None;
        }
        let labels: Vec<u32> = parcel.texts.iter().map(|text| self.text_place(text)).collect();
        let mut packed = vec![0; width];
        for (at, words) in parcel.words.chunks(width).enumerate() {
            packed.copy_from_slice(words);
            let moved = self.machine.move_in(&mut packed, &values);
            let source = *parcel.sources.get(at).filter(|_| moved)?;
            let label = match parcel.labels.get(at) {
                Some(&label) => Some(*labels.get(label as usize)?),
                None => None,
            };
            self.arrive_one(&packed, (parcel.from, source), label, keep);
        }
        Some(())
    }

    fn arrive_one(
        &mut self,
        packed: &[u64],
        (worker, source): (u32, u32),
        label: Option<u32>,
        keep: bool,
    ) {
        let after = self.sent[worker as usize];
        self.sent[worker as usize] += 1;
        if !keep && self.find(packed, self.machine.hash(packed)).is_none() {
            self.beyond += 1;
            return;
        }
        let place = self.keep(packed, Claim { worker, after, parent: Some(source) });
        self.lines += 1;
        if let Some(label) = label {
            self.arrived[worker as usize].push(Arrival { source, label, place });
        }
    }

    /// The place of a configuration, which is left as bytes.
    fn find(&mut self, packed: &[u64], hash: u64) -> Option<usize> {
        self.bytes.clear();
        write_bytes(packed, self.store.stride(), &mut self.bytes);
        self.store.find(hash, &self.bytes)
    }

    fn text_place(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.text_places.get(text) {
            return known;
        }
        let place = self.texts.len() as u32;
        self.texts.push(text.to_owned());
        self.text_places.insert(text.to_owned(), place);
        place
    }

    /// All of a level has arrived: what is new gets numbers, and its steps become lines. How many are new.
    pub fn settle(&mut self, mut line: impl FnMut(StateId, &str, StateId)) -> usize {
        let (first, new) = (self.numbers.len(), self.claims.len());
        let mut order: Vec<u32> = (0..new as u32).collect();
        order.sort_unstable_by_key(|&at| self.claims[at as usize]);
        self.numbers.resize(first + new, 0);
        for (number, at) in (first as u32..).zip(order) {
            let Claim { worker, parent, .. } = self.claims[at as usize];
            self.numbers[first + at as usize] = number;
            self.places.push(first as u32 + at);
            self.parents.push(parent.map(|number| StateId { worker, number }));
        }
        for (worker, steps) in (0..).zip(&mut self.arrived) {
            for Arrival { source, label, place } in steps.drain(..) {
                let to = StateId { worker: self.who, number: self.numbers[place as usize] };
                let from = StateId { worker, number: source };
                line(from, self.texts.get(label as usize).map_or("", String::as_str), to);
            }
        }
        self.claims.clear();
        self.sent.fill(0);
        self.texts.clear();
        self.text_places.clear();
        new
    }

    /// Whether there is something with a number that has not been looked at.
    pub fn has_more(&self) -> bool {
        self.looked < self.numbers.len()
    }

    /// Looks at the next configuration, and notes where its steps lead; with labels in words, if somebody wants them.
    pub fn look(&mut self, goal: Goal<'_, M>, out: &mut Outgoing, label: Option<LabelText<'_>>) {
        let Some(&place) = self.places.get(self.looked) else { return };
        let number = self.looked as u32;
        self.looked += 1;
        read_words(self.store.get(place as usize), &mut self.worker.words);
        self.seen.look(self.machine, (goal, true), &mut self.worker, Ref::alone(number));
        let steps = self.worker.different();
        let mut label = label;
        for step in steps {
            let target = self.worker.moves.target(step);
            let to = owner(self.machine.hash(target), self.of);
            let text = label.as_mut().map(|text| (self.worker.moves.label(step), text));
            out.add(self.machine, to as usize, number, target, text);
        }
    }

    /// How many have numbers, and have not been looked at.
    pub fn left(&self) -> u64 {
        (self.numbers.len() - self.looked) as u64
    }

    /// How many have numbers.
    pub fn settled(&self) -> u64 {
        self.numbers.len() as u64
    }

    /// How many configurations are here, also those without numbers.
    pub fn states(&self) -> u64 {
        self.store.len() as u64
    }

    /// How much was seen.
    pub fn counts(&self) -> Counts {
        let bytes = self.store.bytes() + self.numbers.capacity() * 8;
        let bytes = bytes + self.parents.capacity() * size_of::<Option<StateId>>();
        Counts { states: self.states(), bytes: bytes as u64, ..self.seen.counts }
    }

    /// How many steps led here, and how many too far.
    pub fn lines(&self) -> (u64, u64) {
        (self.lines, self.beyond)
    }

    pub(super) fn seen(&self) -> &Seen {
        &self.seen
    }

    /// Where a configuration was reached from: on a shortest way.
    pub fn parent(&self, number: u32) -> Option<StateId> {
        self.parents.get(number as usize).copied().flatten()
    }

    /// A configuration.
    pub fn packed(&self, number: u32) -> Option<Packed> {
        let place = *self.places.get(number as usize)?;
        let mut words = vec![0; words_of(self.machine)];
        read_words(self.store.get(place as usize), &mut words);
        Some(words.into())
    }
}

/// Parcels while they are filled, one for each worker.
pub struct Outgoing {
    parcels: Vec<Filling>,
}

/// A parcel while it is filled.
#[derive(Default)]
struct Filling {
    parcel: Parcel,
    packing: Packing,
    /// The labels that it has, with their places.
    labels: FxHashMap<Box<[u64]>, u32>,
}

impl Outgoing {
    /// Empty ones, from this worker to so many.
    pub fn new(who: u32, of: u32) -> Outgoing {
        let parcel = || Parcel { from: who, ..Parcel::default() };
        let empty = |_| Filling { parcel: parcel(), ..Filling::default() };
        Outgoing { parcels: (0..of).map(empty).collect() }
    }

    fn add<M: Machine>(
        &mut self,
        machine: &M,
        to: usize,
        source: u32,
        target: &[u64],
        label: Option<(&[u64], &mut LabelText<'_>)>,
    ) {
        let Filling { parcel, packing, labels } = &mut self.parcels[to];
        parcel.sources.push(source);
        let start = parcel.words.len();
        parcel.words.extend_from_slice(target);
        machine.pack_up(&mut parcel.words[start..], packing);
        if let Some((words, text)) = label {
            let place = *labels.entry(words.into()).or_insert_with(|| {
                parcel.texts.push(text(words));
                parcel.texts.len() as u32 - 1
            });
            parcel.labels.push(place);
        }
    }

    /// The parcels with something in them, with the workers that they are for.
    pub fn done(self) -> impl Iterator<Item = (u32, Parcel)> {
        let all = (0..).zip(self.parcels);
        let filled = all.filter(|(_, filling)| !filling.parcel.sources.is_empty());
        filled.map(|(to, Filling { parcel, packing, .. })| {
            (to, Parcel { luggage: packing.done(), ..parcel })
        })
    }
}
