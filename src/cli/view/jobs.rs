//! Work that takes its time, on threads of its own: the page asks how far it is, and may stop it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::refusal::Refusal;
use crate::base::{Budget, Spent, Watch};
use crate::cli::memory;
use crate::smt::Watchdog;

/// So much is worked on at the same time.
const MOST_AT_ONCE: usize = 4;
/// So many results are remembered.
const MOST_KEPT: usize = 64;
/// What the main thread has elsewhere.
const STACK: usize = 16 << 20;
/// How often the clock is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// How often the memory is looked at.
const LOOK_AT_MEMORY: Duration = Duration::from_millis(200);
/// Work that should have ended may go on so long; then nobody waits for it any more.
const GRACE: Duration = Duration::from_millis(1500);

/// What comes of work.
pub(super) type Done = Result<Value, Refusal>;

/// What work may take.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// How long.
    pub time: Option<Duration>,
    /// How many megabytes the process may use.
    pub memory: Option<u64>,
}

/// A piece of work.
struct Job {
    budget: Budget,
    started: Instant,
    progress: Arc<Mutex<String>>,
    done: Arc<Mutex<Option<(Done, f64)>>>,
    /// Since when it should have ended.
    spent: Mutex<Option<Instant>>,
}

impl Job {
    /// Why nobody waits for it any more: it should have ended, and has not, as inside of a solver that does not listen.
    fn left_behind(&self) -> Option<Spent> {
        let spent = self.budget.spent()?;
        let since = *lock(&self.spent).get_or_insert_with(Instant::now);
        (since.elapsed() > GRACE).then_some(spent)
    }

    fn is_working(&self) -> bool {
        lock(&self.done).is_none() && self.left_behind().is_none()
    }
}

/// All work.
#[derive(Default)]
pub(super) struct Jobs {
    all: Mutex<(u64, BTreeMap<u64, Job>)>,
}

/// What work sees.
pub(super) struct Seen {
    budget: Budget,
    progress: Arc<Mutex<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch for Seen {
    fn progress(&self, states: usize, transitions: usize, _queries: usize) {
        *lock(&self.progress) = format!("{states} states, {transitions} transitions");
    }

    fn exploring(&self, states: u64, transitions: u64, depth: u64) {
        *lock(&self.progress) =
            format!("{states} configurations, {transitions} steps, depth {depth}");
    }

    fn searching(&self, what: &str, _queries: usize) {
        what.clone_into(&mut lock(&self.progress));
    }

    fn budget(&self) -> Budget {
        self.budget.clone()
    }
}

/// Why work has to end.
fn over(limits: Limits, started: Instant) -> Option<Spent> {
    if let Some(time) = limits.time.filter(|time| started.elapsed() > *time) {
        return Some(Spent::Time { milliseconds: time.as_millis() as u64 });
    }
    let limit = limits.memory?;
    let used = memory::resident()?;
    (used > limit).then_some(Spent::Memory { used, limit })
}

impl Jobs {
    /// Begins something; its number.
    pub fn begin(
        &self,
        limits: Limits,
        work: impl FnOnce(&Seen) -> Done + Send + 'static,
    ) -> Result<u64, Refusal> {
        let mut all = lock(&self.all);
        let working = all.1.values().filter(|job| job.is_working()).count();
        if working >= MOST_AT_ONCE {
            return Err("enough is being worked on; wait for it, or stop it".into());
        }
        while all.1.len() >= MOST_KEPT {
            let old = all.1.iter().find(|(_, job)| !job.is_working()).map(|(id, _)| *id);
            let Some(old) = old else { break };
            all.1.remove(&old);
        }
        let (budget, started) = (Budget::default(), Instant::now());
        let (progress, done) = (Arc::<Mutex<String>>::default(), Arc::<Mutex<_>>::default());
        let seen = Seen { budget: budget.clone(), progress: Arc::clone(&progress) };
        let (theirs, clock) = (Arc::clone(&done), budget.clone());
        let whole = move || {
            let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let _here = seen.budget.enter();
                Watchdog::while_here(|| work(&seen))
            }));
            let found = found
                .unwrap_or_else(|_| Err("this is a fault of pnet; the terminal says more".into()));
            *lock(&theirs) = Some((found, started.elapsed().as_secs_f64()));
        };
        let worker = std::thread::Builder::new().stack_size(STACK).spawn(whole);
        worker.map_err(|why| why.to_string())?;
        let ends = Arc::clone(&done);
        let _ = std::thread::Builder::new().spawn(move || {
            while lock(&ends).is_none() && clock.spent().is_none() {
                if let Some(spent) = over(limits, started) {
                    clock.spend(spent);
                }
                std::thread::sleep(if limits.time.is_some() { LOOK } else { LOOK_AT_MEMORY });
            }
        });
        all.0 += 1;
        let id = all.0;
        all.1.insert(id, Job { budget, started, progress, done, spent: Mutex::default() });
        Ok(id)
    }

    /// How far something is. What came of it is given away once.
    pub fn look(&self, id: u64) -> Done {
        let mut all = lock(&self.all);
        let job = all.1.get(&id).ok_or("nothing is known of this work; begin it again")?;
        let seconds = job.started.elapsed().as_secs_f64();
        if job.is_working() {
            let progress = lock(&job.progress).clone();
            return Ok(json!({ "done": false, "progress": progress, "seconds": seconds }));
        }
        let (found, left) = (lock(&job.done).take(), job.left_behind());
        all.1.remove(&id);
        Ok(match (found, left) {
            (Some((Ok(value), seconds)), _) => {
                json!({ "done": true, "result": value, "seconds": seconds })
            }
            (Some((Err(why), seconds)), _) => {
                json!({ "done": true, "refused": why.told(), "seconds": seconds })
            }
            (None, left) => {
                let why = left.map_or_else(String::new, |spent| format!("unknown: {spent}"));
                let why = Refusal::from(why).told();
                json!({ "done": true, "refused": why, "seconds": seconds })
            }
        })
    }

    /// Has something end.
    pub fn stop(&self, id: u64) {
        if let Some(job) = lock(&self.all).1.get(&id) {
            job.budget.spend(Spent::Interrupted);
        }
    }

    /// Has all end.
    pub fn stop_all(&self) {
        lock(&self.all).1.values().for_each(|job| job.budget.spend(Spent::Interrupted));
    }
}
