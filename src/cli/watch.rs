//! Long work: it is done on a thread of its own, and this one watches over it. It shows a line of progress on a terminal,
//! and spends the budget of the work on Ctrl-C, when the time is up, and when memory runs out. Work that does not end
//! then, as inside of a solver that does not listen, is left behind.

use std::cell::{Cell, RefCell};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::memory;
use crate::base::{Budget, Spent};
use crate::generate::Watch;
use crate::smt::Watchdog;

/// Whether somebody pressed Ctrl-C.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Whether somebody asked the process to end, where that is listened to.
static TERMINATED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The status of a process that was asked twice to end.
const STATUS_TERMINATED: i32 = 143;

/// Short work says nothing.
const QUIET: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(200);

/// How often to look at the clock and the memory.
const LOOK: Duration = Duration::from_millis(20);

/// How long work may go on that should have ended.
const GRACE: Duration = Duration::from_millis(1500);

/// What the main thread has elsewhere.
const STACK: usize = 16 << 20;

/// Something to do.
type Job = Box<dyn FnOnce() + Send>;

/// How far work is.
#[derive(Default)]
struct Progress {
    states: usize,
    transitions: usize,
    queries: usize,
    /// What is being looked for, unless it is states.
    what: String,
    /// How deep an exploration is, where there is one.
    depth: Option<u64>,
    /// What is to be told.
    notes: Vec<String>,
}

impl Progress {
    /// In words, unless there is nothing to say.
    fn told(&self) -> Option<String> {
        match (self.what.as_str(), self.states + self.transitions) {
            ("", 0) => None,
            ("", _) if self.depth.is_some() => {
                let depth = self.depth.unwrap_or_default();
                let (states, transitions) = (self.states, self.transitions);
                Some(format!("{states} configurations, {transitions} steps, depth {depth}"))
            }
            ("", _) => Some(format!("{} states, {} transitions", self.states, self.transitions)),
            (what, _) => Some(what.to_owned()),
        }
    }
}

/// What the work itself sees: its budget, and where to say how far it is.
pub(super) struct Working {
    budget: Budget,
    progress: Arc<Mutex<Progress>>,
}

fn lock(progress: &Mutex<Progress>) -> MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch for Working {
    fn progress(&self, states: usize, transitions: usize, queries: usize) {
        let mut progress = lock(&self.progress);
        progress.what.clear();
        progress.depth = None;
        (progress.states, progress.transitions, progress.queries) = (states, transitions, queries);
    }

    fn exploring(&self, states: u64, transitions: u64, depth: u64) {
        let mut progress = lock(&self.progress);
        progress.what.clear();
        progress.depth = Some(depth);
        (progress.states, progress.transitions) = (states as usize, transitions as usize);
    }

    fn searching(&self, what: &str, queries: usize) {
        let mut progress = lock(&self.progress);
        progress.queries = queries;
        progress.what.clear();
        progress.what.push_str(what);
    }

    fn note(&self, text: &str) {
        lock(&self.progress).notes.push(text.to_owned());
    }

    fn budget(&self) -> Budget {
        self.budget.clone()
    }
}

/// Work that did not end when it should have.
#[derive(Clone, Debug)]
pub(super) struct LeftBehind {
    /// Why it should have ended.
    pub spent: Spent,
    /// How far it was.
    pub progress: Option<String>,
}

impl LeftBehind {
    /// What is to be said about it.
    pub fn told(&self) -> String {
        match &self.progress {
            None => self.spent.to_string(),
            Some(progress) => format!("{}: {progress} so far", self.spent),
        }
    }
}

/// Watches over work.
pub(super) struct Terminal {
    started: Instant,
    shown: Cell<Option<Instant>>,
    /// How many configurations there were when a line was shown last, and when that was.
    explored: Cell<(usize, f64)>,
    visible: bool,
    /// How much memory the process may use, in megabytes.
    memory: Option<u64>,
    /// How long work may go on that should have ended.
    grace: Duration,
    /// Who does the work. A thread and its Z3 are kept from one piece of work to the next.
    worker: RefCell<Option<Sender<Job>>>,
    /// Whether it needs Z3, which takes 20 MB before it is asked anything.
    solver: bool,
}

/// Has Ctrl-C be noticed by those who look.
pub(super) fn listen() {
    // The second Ctrl-C ends the process whatever it does. A handler that cannot be set is no reason to
    // give up: Ctrl-C then ends the process at once.
    let _ = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
}

/// Has SIGTERM be noticed like Ctrl-C: for work that leaves something behind that has to be whole.
pub(super) fn listen_to_termination() {
    use signal_hook::{consts::SIGTERM, flag};
    let asked = TERMINATED.get_or_init(Arc::default);
    // The second one ends the process whatever it does.
    let _ = flag::register_conditional_shutdown(SIGTERM, STATUS_TERMINATED, Arc::clone(asked));
    let _ = flag::register(SIGTERM, Arc::clone(asked));
}

/// What was interrupted is over: Ctrl-C is for what comes next.
pub(super) fn listen_again() {
    STOPPED.store(false, Ordering::SeqCst);
}

/// Whether somebody pressed Ctrl-C, or wants the process to end.
pub(super) fn is_interrupted() -> bool {
    let terminated = TERMINATED.get().is_some_and(|asked| asked.load(Ordering::SeqCst));
    terminated || STOPPED.load(Ordering::SeqCst)
}

impl Terminal {
    /// `memory`: how many megabytes the process may use.
    pub fn new(memory: Option<u64>) -> Terminal {
        listen();
        let visible = std::io::stderr().is_terminal();
        let (started, shown, worker) = (Instant::now(), Cell::new(None), RefCell::new(None));
        let (explored, grace) = (Cell::new((0, 0.0)), GRACE);
        Terminal { started, shown, explored, visible, memory, grace, worker, solver: true }
    }

    /// The same for work that seldom asks Z3, or never.
    pub fn without_solver(memory: Option<u64>) -> Terminal {
        Terminal { solver: false, ..Terminal::new(memory) }
    }

    /// The same for work that is never left behind: it waits for others, and sees by itself to it that this has an end.
    pub fn patient(self) -> Terminal {
        Terminal { grace: Duration::MAX, ..self }
    }

    /// How long it has been.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Has something done within a time, if there is a limit.
    pub fn run<T: Send + 'static>(
        &self,
        time: Option<Duration>,
        work: impl FnOnce(&Working) -> T + Send + 'static,
    ) -> Result<T, LeftBehind> {
        let (budget, progress) = (Budget::default(), Arc::<Mutex<Progress>>::default());
        let working = Working { budget: budget.clone(), progress: Arc::clone(&progress) };
        let (done, answer) = channel();
        self.send(Box::new(move || {
            let _here = working.budget.enter();
            // Nobody waits any more for work that was left behind.
            let _ = done.send(work(&working));
        }));
        let result = self.wait(&answer, &budget, &progress, time);
        if result.is_err() || matches!(budget.spent(), Some(Spent::Memory { .. })) {
            // With the worker goes the memory of its Z3, if it can still go.
            self.worker.take();
        }
        self.tell(&mut lock(&progress));
        self.clear();
        result
    }

    fn send(&self, job: Job) {
        let mut worker = self.worker.borrow_mut();
        let jobs = worker.get_or_insert_with(|| {
            let (jobs, todo) = channel::<Job>();
            let solver = self.solver;
            let work = move || {
                let all = || todo.iter().for_each(|job| job());
                if solver { Watchdog::while_here(all) } else { all() }
            };
            // Without threads nothing can be done at all.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn(work);
            jobs
        });
        // A worker that is gone is noticed when there is no answer.
        let _ = jobs.send(job);
    }

    /// Waits for an answer, looks at the clock and the memory, and shows how far the work is.
    fn wait<T>(
        &self,
        answer: &Receiver<T>,
        budget: &Budget,
        progress: &Mutex<Progress>,
        time: Option<Duration>,
    ) -> Result<T, LeftBehind> {
        let started = Instant::now();
        let mut spent_at: Option<Instant> = None;
        loop {
            match answer.recv_timeout(LOOK) {
                Ok(result) => return Ok(result),
                // It panicked, and has said so.
                Err(RecvTimeoutError::Disconnected) => std::process::exit(101),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(time) = time.filter(|time| !time.is_zero()) {
                let over = started.elapsed().as_secs_f64() / time.as_secs_f64();
                budget.pass((over * 1_000.0) as u32);
            }
            if let Some(why) = self.over(started, time) {
                budget.spend(why);
            }
            if let Some(spent) = budget.spent() {
                let since = *spent_at.get_or_insert_with(Instant::now);
                if since.elapsed() > self.grace {
                    return Err(LeftBehind { spent, progress: lock(progress).told() });
                }
            }
            self.show(&mut lock(progress));
        }
    }

    /// Why the work has to end.
    fn over(&self, started: Instant, time: Option<Duration>) -> Option<Spent> {
        if is_interrupted() {
            return Some(Spent::Interrupted);
        }
        if let Some(time) = time.filter(|&time| started.elapsed() >= time) {
            return Some(Spent::Time { milliseconds: time.as_millis() as u64 });
        }
        let limit = self.memory?;
        let used = memory::resident()?;
        (used > limit).then_some(Spent::Memory { used, limit })
    }

    /// Shows a line, but not too often.
    fn show(&self, progress: &mut Progress) {
        self.tell(progress);
        if !self.visible || self.started.elapsed() < QUIET {
            return;
        }
        if self.shown.get().is_some_and(|shown| shown.elapsed() < PAUSE) {
            return;
        }
        let Some(what) = progress.told() else { return };
        self.shown.set(Some(Instant::now()));
        let (seconds, queries) = (self.seconds(), progress.queries);
        let mut out = std::io::stderr().lock();
        let line = match progress.depth {
            None => format!("{seconds:.0} s: {what}, {queries} questions to the solver"),
            Some(_) => {
                let rate = self.rate(progress.states);
                let memory = memory::resident().map_or_else(String::new, |mb| format!(", {mb} MB"));
                format!("{seconds:.0} s: {what}{rate}{memory}")
            }
        };
        let _ = write!(out, "\r\x1b[K{line} (Ctrl-C stops)");
        let _ = out.flush();
    }

    /// How many configurations came each second since the last line.
    fn rate(&self, states: usize) -> String {
        let (before, at) = self.explored.replace((states, self.seconds()));
        let seconds = self.seconds() - at;
        match states.checked_sub(before) {
            Some(new) if seconds > 0.0 => format!(", {:.0} a second", new as f64 / seconds),
            _ => String::new(),
        }
    }

    /// Tells what is to be told.
    fn tell(&self, progress: &mut Progress) {
        for note in progress.notes.drain(..) {
            self.clear();
            let _ = writeln!(std::io::stderr(), "note: {note}");
        }
    }

    /// Takes the line away.
    fn clear(&self) {
        if self.shown.take().is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
