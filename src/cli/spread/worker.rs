//! A worker: a process that another one started, which tells it what to do and listens to what it says.

use std::io::{BufRead, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use timely::WorkerConfig;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::{AllocatorBuilder, Hooks, WorkerGuards};

use super::file::ShardFile;
use super::flow::{Desk, Engine, Flowed, Labels, Progress, flow};
use super::sockets::{Hello, meet};
use super::wire::{Found, Order, Report, Said};
use crate::base::{Budget, Spent};
use crate::cli::explore::Args;
use crate::cli::files::in_words;
use crate::cli::memory;
use crate::cli::simulating::Ready;
use crate::cli::watch::{is_interrupted, listen, listen_to_termination};
use crate::cli::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::explore::search::Goal;
use crate::explore::search::spread::{Peer, PeerTask};
use crate::explore::{Machine, Packed};

/// How often to look at the clock, the memory, and what is said.
const LOOK: Duration = Duration::from_millis(20);

/// How often to say how far it is.
const TELL: Duration = Duration::from_millis(200);

/// How often to say that it is there.
const BEAT: Duration = Duration::from_millis(500);

/// How long the others may take to notice that it is over. Whoever goes before the others have read everything takes it away
/// from them, so this is long where a machine is busy.
const FAREWELL: Duration = Duration::from_secs(60);

/// How long to wait before going, where another worker is gone: the others shall notice that one first.
const SHOCK: Duration = Duration::from_millis(400);

/// The stack of the thread that tells a run: the plain interpreter recurses along terms.
const STACK: usize = 16 << 20;

/// The worker that is gone, if one is.
static LOST: OnceLock<u32> = OnceLock::new();

pub(in crate::cli) fn run(args: &'static Args, who: u32) -> u8 {
    listen();
    listen_to_termination();
    notice_losses();
    beat();
    let thread = std::thread::Builder::new().stack_size(STACK);
    let done = thread.spawn(move || work(args, who)).ok().and_then(|thread| thread.join().ok());
    match done {
        Some(Ok(report)) => {
            let whole = report.lost.is_none();
            say(&Said::Ended(report));
            if whole { 0 } else { STATUS_UNKNOWN }
        }
        Some(Err(why)) => {
            say(&Said::Failed(why));
            STATUS_ERROR
        }
        None => STATUS_ERROR,
    }
}

/// Timely's threads panic when a connection ends, and then those that work with them. This is no mistake of ours, and told by
/// whoever looks.
fn notice_losses() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let (payload, none) = (info.payload(), String::new());
        let owned = payload.downcast_ref::<String>().unwrap_or(&none);
        let text = payload.downcast_ref::<&str>().copied().unwrap_or(owned);
        let thread = std::thread::current();
        let peer = thread.name().and_then(|name| name.strip_prefix("timely:")?.split_once('-'));
        match peer.and_then(|(_, peer)| peer.parse().ok()) {
            Some(peer) if text.contains("timely communication error") => _ = LOST.set(peer),
            Some(_) if LOST.get().is_some() => {}
            _ => usual(info),
        }
    }));
}

/// Says something to whoever started this process. If it is gone, there is nobody to complain to.
fn say(said: &Said) {
    let line = serde_json::to_string(said).unwrap_or_default();
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Says again and again that this process is there, so that one that hangs can be told from one that works for long.
fn beat() {
    std::thread::spawn(|| {
        loop {
            say(&Said::Alive);
            std::thread::sleep(BEAT);
        }
    });
}

/// What this worker is told, line by line. Where there are no more lines, whoever started it is gone.
fn orders() -> Receiver<Order> {
    let (send, orders) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            let order = serde_json::from_str(&line).unwrap_or(Order::Stop(None));
            let _ = send.send(order);
        }
        let _ = send.send(Order::Stop(None));
    });
    orders
}

/// Why to end before the work has begun.
fn stopped(orders: &Receiver<Order>) -> Option<String> {
    let told = matches!(orders.try_recv(), Ok(Order::Stop(_)));
    (told || is_interrupted()).then(|| Spent::Interrupted.to_string())
}

fn work(args: &'static Args, who: u32) -> Result<Box<Report>, String> {
    let orders = orders();
    let Ok(Order::Listen(address)) = orders.recv() else {
        return Err(Spent::Interrupted.to_string());
    };
    let prepared = Prepared::new(args)?;
    // Whoever can be reached can answer: so nobody waits for somebody who is still reading the model.
    let cannot = |problem| format!("cannot listen at `{address}`: {}", in_words(&problem));
    let listener = TcpListener::bind(&address).map_err(cannot)?;
    let listening = listener.local_addr().map_err(|problem| in_words(&problem))?;
    say(&Said::Listening(listening.to_string()));
    let Ok(Order::Meet { secret, addresses }) = orders.recv() else {
        return Err(Spent::Interrupted.to_string());
    };
    let hello = Hello {
        secret,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        worker: who,
        workers: addresses.len() as u32,
        model: super::model_hash(prepared.ready),
        task: args.task(prepared.ready),
    };
    let sockets = meet(&listener, &addresses, &hello, &|| stopped(&orders))?;
    drop(listener);
    prepared.explore((who, hello.workers), sockets, &orders)
}

/// A worker that is ready to work.
struct Prepared {
    args: &'static Args,
    ready: &'static Ready,
    machine: &'static Engine,
    initial: Vec<Packed>,
    limited: bool,
}

impl Prepared {
    fn new(args: &'static Args) -> Result<Prepared, String> {
        let wrong = |why: Option<String>| why.unwrap_or_else(|| "the model has errors".to_owned());
        let ready: &'static Ready = Box::leak(Box::new(args.ready().map_err(wrong)?));
        let machine: &'static Engine = Box::leak(Box::new(Engine::new(&ready.net, &ready.domains)));
        let cannot = |gap| format!("`{}` cannot be explored: {gap}", ready.name);
        let (initial, limited) = machine.initial().map_err(cannot)?;
        Ok(Prepared { args, ready, machine, initial, limited })
    }

    /// What is looked for.
    fn goal(&self) -> Result<Goal<'static, Engine>, String> {
        let cannot = |gap| format!("`{}` cannot be explored: {gap}", self.ready.name);
        Ok(match &self.ready.goal {
            Some(sought) => {
                let property = self.machine.property(&sought.property).map_err(cannot)?;
                Goal::Property(Box::leak(Box::new(property)), true)
            }
            None if self.args.finds() => Goal::Deadlock,
            None => Goal::Everything,
        })
    }

    fn desk(
        &self,
        place: (u32, u32),
        budget: &Budget,
        progress: &Arc<Progress>,
    ) -> Result<Desk, String> {
        let (args, machine) = (self.args, self.machine);
        let labels = || Labels {
            net: &self.ready.net,
            machine,
            tau: &args.tau,
            known: rustc_hash::FxHashMap::default(),
        };
        let shard = match args.folder() {
            Some(folder) => Some((ShardFile::create(folder, place.0)?, labels())),
            None => None,
        };
        let limits = args.exploring.limits(1);
        let most_states = limits.most_states;
        let task = PeerTask { goal: self.goal()?, limits, limited: self.limited };
        let peer = Peer::new(machine, place, &self.initial, task);
        Ok(Desk {
            machine,
            peer,
            most_states,
            shard,
            budget: budget.clone(),
            progress: Arc::clone(progress),
            waiting: std::collections::BTreeMap::new(),
            used: Vec::new(),
        })
    }

    fn explore(
        self,
        place: (u32, u32),
        sockets: Vec<Option<TcpStream>>,
        orders: &Receiver<Order>,
    ) -> Result<Box<Report>, String> {
        let (budget, progress) = (Budget::default(), Arc::<Progress>::default());
        let desk = self.desk(place, &budget, &progress)?;
        let begins = desk.peer.share().states();
        let (flowed, guards) = start(sockets, place.0, desk, &budget)?;
        let watching =
            Watching { args: self.args, of: place.1, budget: &budget, progress: &progress };
        let flowed = match watching.wait(&flowed, orders) {
            Ok(flowed) => flowed,
            // Its threads wait for the others, and these for this process: it ends without them.
            Err(why) => {
                std::mem::forget(guards);
                return Err(why);
            }
        };
        match LOST.get() {
            None => farewell(guards),
            // The others shall see who was gone first.
            Some(_) => {
                std::thread::sleep(SHOCK);
                std::mem::forget(guards);
            }
        }
        if let Some(problem) = flowed.problem {
            return Err(problem);
        }
        let run = flowed.path.map(|path| self.found(&path));
        Ok(Box::new(Report {
            tallies: flowed.tallies,
            begins,
            shard: flowed.shard,
            lost: LOST.get().copied().filter(|_| !flowed.whole),
            run,
        }))
    }

    /// A way to what was found, once the plain interpreter has made it again.
    fn found(&self, path: &[Packed]) -> Found {
        let path: Vec<_> = path.iter().map(|packed| self.machine.decode(packed)).collect();
        match super::followed(self.ready, &path) {
            Ok(trace) => Found::Run(Box::new(trace)),
            Err(why) => Found::NotFollowed(why),
        }
    }
}

/// What comes of the dataflow, and who waits for its threads.
type Started = (Receiver<Flowed>, WorkerGuards<()>);

/// Starts the dataflow on a thread of its own.
fn start(
    sockets: Vec<Option<TcpStream>>,
    who: u32,
    desk: Desk,
    budget: &Budget,
) -> Result<Started, String> {
    let hooks = Hooks::default();
    let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
    let (builders, guard) =
        initialize_networking_from_sockets(inner, sockets, who as usize, 1, hooks)
            .map_err(|problem| in_words(&problem))?;
    let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
    let (send, flowed): (Sender<Flowed>, _) = channel();
    let (parts, budget) = (Mutex::new(Some((send, desk))), budget.clone());
    let work = move |worker: &mut timely::worker::Worker| {
        let _here = budget.enter();
        let taken = parts.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some((send, desk)) = taken else { return };
        let _ = send.send(flow(worker, desk, &|| LOST.get().is_some()));
        // Where another worker is gone, the dataflow has no end: the process has.
        while LOST.get().is_some() {
            std::thread::park();
        }
    };
    let guards =
        timely::execute::execute_from(builders, Box::new(guard), WorkerConfig::default(), work)?;
    Ok((flowed, guards))
}

/// Waits for the threads of the connections, so that the others get all that was sent; not for ever.
fn farewell(guards: WorkerGuards<()>) {
    let done = Arc::new(AtomicBool::new(false));
    let is_done = Arc::clone(&done);
    std::thread::spawn(move || {
        guards.join();
        is_done.store(true, Ordering::SeqCst);
    });
    let since = Instant::now();
    while !done.load(Ordering::SeqCst) && since.elapsed() < FAREWELL && LOST.get().is_none() {
        std::thread::sleep(LOOK / 4);
    }
}

/// Who watches over the work of a worker.
struct Watching<'w> {
    args: &'w Args,
    of: u32,
    budget: &'w Budget,
    progress: &'w Progress,
}

impl Watching<'_> {
    /// Waits until the work is over.
    fn wait(&self, flowed: &Receiver<Flowed>, orders: &Receiver<Order>) -> Result<Flowed, String> {
        let (mut told, mut stopping) = (Instant::now(), false);
        loop {
            match flowed.recv_timeout(LOOK) {
                Ok(flowed) => return Ok(flowed),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err("the dataflow broke off".to_owned());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(spent) = self.over(orders) {
                self.budget.spend(spent);
                if !std::mem::replace(&mut stopping, true) {
                    say(&Said::Stopping);
                }
            }
            if told.elapsed() > TELL {
                told = Instant::now();
                let [states, transitions, depth] =
                    [0, 1, 2].map(|at| self.progress.0[at].load(Ordering::Relaxed));
                say(&Said::Progress(states, transitions, depth));
            }
        }
    }

    /// Why to end, if there is a reason.
    fn over(&self, orders: &Receiver<Order>) -> Option<Spent> {
        if let Ok(Order::Stop(time)) = orders.try_recv() {
            return Some(match time {
                Some(milliseconds) => Spent::Time { milliseconds },
                None => Spent::Interrupted,
            });
        }
        if is_interrupted() {
            return Some(Spent::Interrupted);
        }
        let local = if self.args.spread.has_hosts() { 1 } else { u64::from(self.of) };
        let limit = self.args.simulating.memory.limit()? / local;
        let used = memory::resident()?;
        (used > limit).then_some(Spent::Memory { used, limit })
    }
}
