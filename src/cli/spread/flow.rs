//! The dataflow: a loop in which messages go once round for each level. Timely tells when all of a level has arrived; what is
//! done then is the business of a peer (`explore::search::spread`). A second loop goes back from what was found, from
//! worker to worker.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{ConnectLoop, Feedback};
use timely::worker::Worker;

use super::file::ShardFile;
use crate::base::{Budget, Spent};
use crate::emit::aut;
use crate::explore::compiled::Compiled;
use crate::explore::search::spread::{Halt, Message, News, Next, Peer, StateId, Tally};
use crate::explore::{Luggage, Machine, Packed, Packing};
use crate::pnet::PNet;

/// How long to wait for messages before looking whether somebody wants it to end.
const PAUSE: Duration = Duration::from_millis(20);

/// At how many configurations a worker looks before it sends what they lead to.
const CHUNK: usize = 512;

/// The same where not many are wanted.
const SMALL_CHUNK: usize = 8;

/// Limits below this are kept more closely.
const SMALL_LIMIT: u64 = 100_000;

/// How many labels are kept in words.
const MOST_LABELS: usize = 100_000;

/// The machine of a worker, which lives as long as its process.
pub(super) type Engine = Compiled<'static>;

/// How far a worker is: configurations, steps, depth.
#[derive(Default)]
pub(super) struct Progress(pub [AtomicU64; 3]);

/// Labels in words.
pub(super) struct Labels {
    pub net: &'static PNet,
    pub machine: &'static Engine,
    pub tau: &'static str,
    pub known: FxHashMap<Box<[u64]>, String>,
}

impl Labels {
    fn text(&mut self, words: &[u64]) -> String {
        if let Some(known) = self.known.get(words) {
            return known.clone();
        }
        if self.known.len() > MOST_LABELS {
            self.known.clear();
        }
        let shown = self.machine.label(words);
        let text = aut::label(&self.net.algebra, &self.net.holes, &shown, self.tau);
        self.known.insert(words.into(), text.clone());
        text
    }
}

/// What a worker works with.
pub(super) struct Desk {
    pub machine: &'static Engine,
    pub peer: Peer<'static, Engine>,
    pub most_states: u64,
    /// Where lines go, with how labels are written.
    pub shard: Option<(ShardFile, Labels)>,
    pub budget: Budget,
    pub progress: Arc<Progress>,
    /// Messages of levels that do not arrive yet.
    pub waiting: BTreeMap<u64, Vec<News>>,
    /// What of the net was used, as it was told last.
    pub used: Vec<[u32; 3]>,
}

/// What came of it.
pub(super) struct Flowed {
    /// What all have told last.
    pub tallies: Vec<Tally>,
    /// How many lines and configurations are in the shard.
    pub shard: (u64, u64),
    /// The way to what was found, if it was collected here.
    pub path: Option<Vec<Packed>>,
    /// Why lines could not be written.
    pub problem: Option<String>,
    /// Whether it came to its end.
    pub whole: bool,
}

impl Desk {
    /// Takes messages of a level.
    fn take(&mut self, level: u64, messages: impl Iterator<Item = Message>) {
        for Message { news, .. } in messages {
            match level == self.peer.arriving() {
                true => self.peer.hear(news),
                false => self.waiting.entry(level).or_default().push(news),
            }
        }
    }

    /// All of a level has arrived.
    fn settle(&mut self) -> Next {
        let shard = &mut self.shard;
        let next = self.peer.settle(|from, label, to| {
            if let Some((file, _)) = shard {
                file.line(from, label, to);
            }
        });
        let problem = shard.as_ref().is_some_and(|(file, _)| file.problem.is_some());
        if problem {
            self.budget.spend(Spent::Interrupted);
        }
        for news in self.waiting.remove(&self.peer.arriving()).unwrap_or_default() {
            self.peer.hear(news);
        }
        next
    }

    /// Looks at some configurations: what is to be sent, and whether that was all of the level.
    fn look(&mut self) -> (Vec<Message>, bool) {
        let many = if self.most_states < SMALL_LIMIT { SMALL_CHUNK } else { CHUNK };
        let (mut messages, done) = match &mut self.shard {
            Some((_, labels)) => {
                let mut text = |words: &[u64]| labels.text(words);
                self.peer.look(many, &self.budget, Some(&mut text))
            }
            None => self.peer.look(many, &self.budget, None),
        };
        if done {
            let used = self.machine.coverage().numbers();
            let new = (used != self.used).then(|| used.clone());
            self.used = used;
            messages.extend(self.peer.end_level(new));
        }
        let counts = self.peer.tally().counts;
        for (at, count) in [counts.states, counts.transitions, counts.depth].into_iter().enumerate()
        {
            self.progress.0[at].store(count, Ordering::Relaxed);
        }
        (messages, done)
    }

    /// What is known at the end.
    fn flowed(&mut self, path: Option<Vec<Packed>>, whole: bool) -> Flowed {
        let mut problem = None;
        let lines = match &mut self.shard {
            Some((file, _)) => {
                file.flush();
                problem.clone_from(&file.problem);
                file.lines
            }
            None => self.peer.tally().lines,
        };
        let (tallies, states) = (self.peer.known().to_vec(), self.peer.share().settled());
        Flowed { tallies, shard: (lines, states), path, problem, whole }
    }
}

/// Goes through all levels, and then back from what was found. `lost`: whether another worker is gone; then it ends where it
/// is.
pub(super) fn flow(worker: &mut Worker, desk: Desk, lost: &dyn Fn() -> bool) -> Flowed {
    let desk = Rc::new(RefCell::new(desk));
    levels(worker, &desk);
    if !run(worker, lost) {
        return desk.borrow_mut().flowed(None, false);
    }
    let goal = goal(desk.borrow().peer.known());
    let Some(goal) = goal else { return desk.borrow_mut().flowed(None, true) };
    let found = back(worker, &desk, goal);
    let whole = run(worker, lost);
    let mut desk = desk.borrow_mut();
    let path = whole.then(|| way(desk.machine, &mut found.borrow_mut())).flatten();
    desk.flowed(path, whole)
}

/// Has the dataflow run to its end; whether it got there.
fn run(worker: &mut Worker, lost: &dyn Fn() -> bool) -> bool {
    // Where a connection is gone, whoever sends something to it panics.
    let ran = catch_unwind(AssertUnwindSafe(|| {
        while worker.has_dataflows() && !lost() {
            worker.step_or_park(Some(PAUSE));
        }
    }));
    match ran {
        Err(panic) if !lost() => resume_unwind(panic),
        ran => ran.is_ok() && !worker.has_dataflows(),
    }
}

/// The loop of the levels.
fn levels(worker: &mut Worker, desk: &Rc<RefCell<Desk>>) {
    let desk = Rc::clone(desk);
    worker.dataflow::<u64, _, _>(move |scope| {
        let (handle, cycle) = scope.feedback::<Vec<Message>>(1);
        let to = Exchange::new(|message: &Message| u64::from(message.to));
        let looked = cycle.unary_frontier::<CapacityContainerBuilder<Vec<Message>>, _, _, _>(
            to,
            "Explore",
            move |capability, info| {
                let activator = scope.activator_for(info.address);
                let (mut current, mut levels) = (None, BTreeMap::from([(0_u64, capability)]));
                move |(input, frontier), output| {
                    let mut desk = desk.borrow_mut();
                    input.for_each(|time, messages| {
                        let level = *time.time();
                        levels.entry(level).or_insert_with(|| time.retain(output.output_index()));
                        desk.take(level, messages.drain(..));
                    });
                    let arrived = |level: &u64| current.is_none() && !frontier.less_equal(level);
                    if levels.first_key_value().is_some_and(|(level, _)| arrived(level)) {
                        let first = levels.pop_first().map(|(_, capability)| capability);
                        current = first.filter(|_| desk.settle() == Next::Look);
                    }
                    let Some(capability) = &current else { return };
                    let (messages, done) = desk.look();
                    output.session(capability).give_iterator(messages.into_iter());
                    if done {
                        current = None;
                    }
                    activator.activate();
                }
            },
        );
        looked.connect_loop(handle);
    });
}

/// The configuration that was found: the first of those that the workers tell.
fn goal(tallies: &[Tally]) -> Option<StateId> {
    let found = |tally: &Tally| Some(StateId { worker: tally.from, number: tally.goal? });
    let is_found = tallies.iter().any(|tally| tally.halt == Some(Halt::Found));
    tallies.iter().filter_map(found).min().filter(|_| is_found)
}

/// A message on the way back.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Hop {
    to: u32,
    /// How many steps it is from what was found.
    away: u64,
    what: Seen,
}

/// What a message on the way back says.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Seen {
    /// This one leads there: go on.
    From(u32),
    /// This is the configuration.
    Configuration(Vec<u64>, Luggage),
}

/// Configurations with how far they are from what was found.
type Collected = Rc<RefCell<Vec<(u64, Vec<u64>, Luggage)>>>;

/// The loop that goes back; the first worker collects.
fn back(worker: &mut Worker, desk: &Rc<RefCell<Desk>>, goal: StateId) -> Collected {
    let (desk, collected) = (Rc::clone(desk), Collected::default());
    let (found, who) = (Rc::clone(&collected), worker.index() as u32);
    worker.dataflow::<u64, _, _>(move |scope| {
        let (handle, cycle) = scope.feedback::<Vec<Hop>>(1);
        let to = Exchange::new(|hop: &Hop| u64::from(hop.to));
        let hops = cycle.unary_frontier::<CapacityContainerBuilder<Vec<Hop>>, _, _, _>(
            to,
            "Back",
            move |capability, _| {
                let mut first = Some(capability);
                move |(input, _), output| {
                    let desk = desk.borrow();
                    if let Some(capability) = first.take().filter(|_| goal.worker == who) {
                        let hops = hops_from(&desk, who, (goal.number, 0));
                        output.session(&capability).give_iterator(hops.into_iter());
                    }
                    input.for_each(|time, messages| {
                        for Hop { away, what, .. } in messages.drain(..) {
                            match what {
                                Seen::Configuration(words, luggage) => {
                                    found.borrow_mut().push((away, words, luggage));
                                }
                                Seen::From(number) => {
                                    let hops = hops_from(&desk, who, (number, away));
                                    output.session(&time).give_iterator(hops.into_iter());
                                }
                            }
                        }
                    });
                }
            },
        );
        hops.connect_loop(handle);
    });
    collected
}

/// The configurations that lead to one of this worker, as far as they are here, and who goes on.
fn hops_from(desk: &Desk, who: u32, (number, away): (u32, u64)) -> Vec<Hop> {
    let (share, mut hops, mut at) = (desk.peer.share(), Vec::new(), Some((number, away)));
    while let Some((number, away)) = at {
        let Some(mut packed) = share.packed(number) else { break };
        let mut packing = Packing::default();
        desk.machine.pack_up(&mut packed, &mut packing);
        let what = Seen::Configuration(packed.into_vec(), packing.done());
        hops.push(Hop { to: 0, away, what });
        at = None;
        match share.parent(number) {
            Some(parent) if parent.worker == who => at = Some((parent.number, away + 1)),
            Some(StateId { worker, number }) => {
                hops.push(Hop { to: worker, away: away + 1, what: Seen::From(number) });
            }
            None => {}
        }
    }
    hops
}

/// The way to what was found; nothing where it was not collected, or cannot be read.
fn way(machine: &Engine, collected: &mut Vec<(u64, Vec<u64>, Luggage)>) -> Option<Vec<Packed>> {
    collected.sort_unstable_by_key(|(away, ..)| std::cmp::Reverse(*away));
    let configuration = |(_, mut words, luggage): (u64, Vec<u64>, Luggage)| {
        let arrived = machine.unpack(&luggage)?;
        machine.move_in(&mut words, &arrived).then(|| words.into())
    };
    let all: Option<Vec<Packed>> = collected.drain(..).map(configuration).collect();
    all.filter(|path| !path.is_empty())
}
